"""The command ``python -m sample``, which writes the files of the sample plot."""

from __future__ import annotations

import argparse
from pathlib import Path

from qgis.core import QgsApplication

from randcrowns.core.sample import SAMPLE_SEED, sample_files
from sample.files import write_sample


def main() -> None:
    """Write the files into the folder that the command line names, and print their paths."""
    parser = argparse.ArgumentParser("make sample", description="Simulate the sample plot.")
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=sample_files().image.parent,
        help="folder of the files; by default the folder that RandCrowns ships",
    )
    parser.add_argument(
        "--seed", type=int, default=SAMPLE_SEED, help="seed of the random numbers, 0 or more"
    )
    options = parser.parse_args()
    application = QgsApplication([], False)
    application.initQgis()
    print(*write_sample(options.folder, options.seed), sep="\n")
    application.exitQgis()


if __name__ == "__main__":
    main()
