"""Writes the sample plot and its QGIS project: make_sample.py FOLDER [SEED]."""

from __future__ import annotations

import sys

from qgis.core import QgsApplication

from randcrowns.core.errors import InputError
from randcrowns.core.sample import DEFAULT_SEED
from randcrowns.layers.sample import write_project


def main(arguments: list[str]) -> int:
    """Write them, and say where."""
    if not 1 <= len(arguments) <= 2 or not all(seed.isdigit() for seed in arguments[1:]):
        print("usage: make_sample.py FOLDER [SEED]", file=sys.stderr)
        return 2
    application = QgsApplication([], False)
    application.initQgis()
    try:
        print(write_project(arguments[0], *map(int, arguments[1:] or [DEFAULT_SEED])))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        application.exitQgis()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
