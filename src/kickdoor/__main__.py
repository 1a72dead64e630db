"""`kickdoor`, and `python -m kickdoor`: loads the command line and runs it, so that Ctrl-C is quiet from the start."""

from kickdoor.paper import loading


def main() -> int:
    loading.begun()
    from kickdoor.app.cli import main as run

    try:
        loading.done()
        return run()
    except KeyboardInterrupt:
        return loading.STOPPED


if __name__ == "__main__":
    raise SystemExit(main())
