"""Label Studio: the labelling config, and the results of annotations."""
