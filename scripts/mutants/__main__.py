"""The command, and its report."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import mutants
from mutants.faults import ROOT, Fault, drawn, harmless
from mutants.search import search
from mutants.workshop import Workshop, load_libraries


def try_out(samples: dict[str, list[Fault]], workshop: Workshop) -> None:
    """Try the faults drawn out of each folder or module, and print what became of them."""
    known = harmless()
    told = {
        one: one.told((ROOT / one.module).read_text(encoding="utf-8"))
        for some in samples.values()
        for one in some
    }
    found = set()
    for fault, test in search([fault for fault in told if told[fault] not in known], workshop):
        if test:
            found.add(fault)
            print(f"{fault.module}:{fault.line}  {fault.old}  ->  {fault.new}   {test}", flush=True)
    for name, faults in samples.items():
        reasons = [
            "\n".join((*told[fault], known[told[fault]]))
            for fault in faults
            if told[fault] in known
        ]
        survivors = [
            "\n".join(told[fault])
            for fault in faults
            if told[fault] not in known and fault not in found
        ]
        tried = len(faults) - len(reasons)
        print(f"\n{name}: {tried - len(survivors)} of {tried} faults found")
        print(f"\n{len(survivors)} found by no test:", *survivors, sep="\n\n")
        print(
            f"\n{len(reasons)} not tried, known to be harmless:", *reasons, sep="\n\n", flush=True
        )


def main() -> None:
    """Put faults into the modules that the command names, and list what survives."""
    parser = argparse.ArgumentParser(
        "make mutants",
        description=mutants.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("modules", nargs="+", help="modules or folders, such as core/scoring")
    parser.add_argument("--sample", type=int, default=20, help="faults per module or folder named")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    asked = parser.parse_args()
    load_libraries()
    with tempfile.TemporaryDirectory() as folder:
        names = map(os.path.normpath, asked.modules)
        try_out(
            {name: drawn(name, asked.sample, asked.seed) for name in names}, Workshop(Path(folder))
        )


if __name__ == "__main__":
    main()
