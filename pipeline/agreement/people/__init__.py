"""What is said of an annotator, and of two."""
