"""The one baseline step of the eight tasks: encode, train, predict. Needs the extra `train`."""
