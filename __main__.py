"""The command ``randcrowns`` of the wheel, which says so where the extra it requires is not installed."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command; its exit code."""
    try:
        from randcrowns.batch.command import main as run
    except ModuleNotFoundError as lacking:
        print(f"randcrowns: {lacking}", file=sys.stderr)
        return 1
    return run()


if __name__ == "__main__":
    sys.exit(main())
