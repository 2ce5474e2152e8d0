"""What is compared: votes as codes."""
