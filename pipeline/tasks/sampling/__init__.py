"""The section `sampling` of each task's spec: quotas, sizes and thresholds of its candidates."""
