"""The command, and its report."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import mutants
from mutants.faults import ROOT, drawn, harmless
from mutants.search import search
from mutants.workshop import Workshop, load_libraries


def report(name: str, sample: int, seed: int, workshop: Workshop) -> None:
    """Try faults of a folder or module, and print what became of each."""
    known, survivors, reasons, to_try = harmless(), [], [], []
    for fault in drawn(name, sample, seed):
        told = fault.told((ROOT / fault.module).read_text(encoding="utf-8"))
        if told in known:
            reasons.append("\n".join((*told, known[told])))
        else:
            to_try.append(fault)
    for fault, test in search(to_try, workshop):
        if test:
            print(f"{fault.module}:{fault.line}  {fault.old}  ->  {fault.new}   {test}", flush=True)
        else:
            survivors.append("\n".join(fault.told((ROOT / fault.module).read_text(encoding="utf-8"))))
    print(f"\n{name}: {len(to_try) - len(survivors)} of {len(to_try)} faults found")
    for head, faults in (("found by no test", survivors), ("not tried, known to be harmless", reasons)):
        print(f"\n{len(faults)} {head}", *faults, sep="\n\n", flush=True)


def main() -> None:
    """Put faults into the modules that the command names, and list what survives."""
    parser = argparse.ArgumentParser(
        "make mutants", description=mutants.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="+", help="modules or folders, such as core/scoring")
    parser.add_argument("--sample", type=int, default=20, help="faults per module or folder named")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    asked = parser.parse_args()
    load_libraries()
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        for name in map(os.path.normpath, asked.modules):
            report(name, asked.sample, asked.seed, workshop)


if __name__ == "__main__":
    main()
