"""Papers to file, to post and to carry: HTML and PDF from one template."""
