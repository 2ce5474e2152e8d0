"""The parts of the page of an agreement audit."""
