"""The columns of the eight configs: from an example to a row of a release, and back."""
