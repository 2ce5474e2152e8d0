"""The metrics, one family a file: functions over plain arrays, and each as a Measure."""
