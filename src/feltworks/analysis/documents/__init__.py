"""What does an analysis look like to others? Questions as they are written, answers as documents."""
