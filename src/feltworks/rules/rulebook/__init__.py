"""What does a document say? The facts of an approved game as data, read from TOML and checked."""
