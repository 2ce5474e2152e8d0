"""What `klue verify` looks at: every check reads the files again and trusts the manifest alone."""
