"""What two splits, or a split and a file, must not share; nothing of the split rules is used."""
