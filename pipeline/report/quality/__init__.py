"""What a quality-control report says of examples, whatever they are from."""
