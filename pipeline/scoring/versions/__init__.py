"""Two versions of a benchmark compared by the systems that were scored on both."""
