"""`python -m flows.cli`: the command line."""

from flows.main import main

main()
