"""`kickdoor`, and `python -m kickdoor`: loads the command line and runs it, so that Ctrl-C is quiet from the start."""


def main() -> int:
    try:
        from kickdoor.app.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
