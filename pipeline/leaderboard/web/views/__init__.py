"""What the templates show: frozen records with words, made from the records of the board."""
