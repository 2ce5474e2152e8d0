"""From finished stages to the files of a release."""
