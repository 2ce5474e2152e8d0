"""What is given to annotators, and what one round hands to the next."""
