"""The work behind the commands that are no flow."""
