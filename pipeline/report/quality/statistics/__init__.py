"""The statistics of each task in the form of the paper's tables: one module a task."""
