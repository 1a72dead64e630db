"""`kickdoor`, and `python -m kickdoor`: loads the command line and runs it, so that Ctrl-C is quiet from the start."""

import os
import signal


def _leave(_number: int, _frame: object) -> None:
    os._exit(130)


def main() -> int:
    # Nothing has begun while it loads, so Ctrl-C ends it there and then. An exception would be thrown into
    # whatever is being imported, and not everybody bears that: msgspec swallows it and crashes later.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from kickdoor.app.cli import main as run

    try:
        if signal.getsignal(signal.SIGINT) is _leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
