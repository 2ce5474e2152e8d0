"""`python -m flows.cli`: the command line."""

from flows.cli import main

main()
