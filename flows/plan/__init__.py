"""What a build runs: its stage calls, planned from the build file without running any."""
