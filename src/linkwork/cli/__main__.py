"""``python -m linkwork.cli``: the command line where the console script is not on the path."""

from linkwork.cli.run import main

main()
