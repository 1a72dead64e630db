"""`python -m kickdoor`."""

from kickdoor.app.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
