"""The command ``python -m mutants`` and its report."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import mutants
from mutants.faults import ROOT, Fault, read_harmless_faults, sample_faults
from mutants.search import find_faults
from mutants.workshop import FaultRunner, load_libraries


def try_faults(samples: dict[str, list[Fault]], workshop: FaultRunner) -> None:
    """Try the faults of each sample, except the harmless ones, and print the results.

    Args:
        samples: name of a folder or module -> faults drawn from it.
        workshop: runs the tests.
    """
    reasons = read_harmless_faults()
    entries = {
        fault: fault.describe((ROOT / fault.module).read_text(encoding="utf-8"))
        for faults in samples.values()
        for fault in faults
    }
    tried = [fault for fault, entry in entries.items() if entry not in reasons]
    detected = set()
    for fault, test in find_faults(tried, workshop):
        if test:
            detected.add(fault)
            print(f"{fault.module}:{fault.line}  {fault.old}  ->  {fault.new}   {test}", flush=True)

    for name, faults in samples.items():
        known = [entries[fault] for fault in faults if entries[fault] in reasons]
        survivors = [
            entries[fault]
            for fault in faults
            if entries[fault] not in reasons and fault not in detected
        ]
        n_tried = len(faults) - len(known)
        print(f"\n{name}: {n_tried - len(survivors)} of {n_tried} faults detected")
        print(f"\n{len(survivors)} detected by no test:")
        for entry in survivors:
            print("", *entry, sep="\n")
        print(f"\n{len(known)} not tried because they are known to be harmless:")
        for entry in known:
            print("", *entry, reasons[entry], sep="\n", flush=True)


def main() -> None:
    """Put faults into the modules that the command line names and print those that survive."""
    parser = argparse.ArgumentParser(
        "make mutants",
        description=mutants.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("modules", nargs="+", help="modules or folders, such as core/scoring")
    parser.add_argument("--sample", type=int, default=20, help="faults per module or folder")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    options = parser.parse_args()
    load_libraries()
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.normpath(name) for name in options.modules]
        samples = {name: sample_faults(name, options.sample, options.seed) for name in names}
        try_faults(samples, FaultRunner(Path(folder)))


if __name__ == "__main__":
    main()
