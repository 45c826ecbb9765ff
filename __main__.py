"""Entry point of the command ``randcrowns``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command and return its exit code; 1 if a required library is not installed."""
    try:
        from randcrowns.command.main import main as run_command
    except ModuleNotFoundError as error:
        print(f"randcrowns: {error}", file=sys.stderr)
        return 1
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
