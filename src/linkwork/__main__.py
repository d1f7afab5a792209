"""``python -m linkwork`` is the command line."""

from linkwork.cli import main

main()
