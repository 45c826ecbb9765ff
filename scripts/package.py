"""Makes the plugin zip from the last commit: one folder randcrowns/, without what .gitattributes leaves out.

    python3 scripts/package.py build/randcrowns.zip [--release]

Author, email and links come from the environment (the top of the Makefile); --release refuses
empty ones.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What the person who publishes fills in, by the name in metadata.txt.
SETTINGS = ("author", "email", "homepage", "tracker", "repository")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def fail(why: str) -> None:
    """End with a sentence."""
    sys.exit(f"package: {why}")


def committed() -> dict[str, bytes]:
    """The files of the last commit that are shipped, by name."""
    done = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode:
        fail(
            "this folder is not a git checkout, and the zip is made from a commit: clone the project with git first."
        )
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if changed.stdout.strip():
        print("package: changes that are not committed are left out", file=sys.stderr)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        return {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}  # type: ignore[union-attr]


def guide() -> dict[str, bytes]:
    """The files of the user's guide, built now; none, and a sentence, where that fails."""
    done = subprocess.run(
        [ROOT / "scripts" / "guide.sh"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(
            f"package: without the user's guide, which could not be built:\n{done.stderr}",
            file=sys.stderr,
        )
        return {}
    folder = ROOT / "resources" / "guide"
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def fill_in(metadata: str) -> str:
    """Return metadata.txt with the values of the publisher from the environment."""
    for name in SETTINGS:
        value = os.environ.get(f"PLUGIN_{name.upper()}", "").strip()
        if value:
            metadata = re.sub(rf"(?m)^{name}=.*\n", "", metadata).rstrip("\n")
            metadata += f"\n{name}={value}\n"
    return metadata


def missing_settings(metadata: str) -> list[str]:
    """Return the names of the publisher's settings that metadata.txt lacks."""
    return [name for name in SETTINGS if not re.search(rf"(?m)^{name}=.", metadata)]


def main() -> None:
    """Write the zip and print its name."""
    words = argparse.ArgumentParser(description="Makes the plugin zip from the last commit.")
    words.add_argument("zip", type=Path)
    words.add_argument("--release", action="store_true", help="refuse a zip without links")
    given = words.parse_args()
    files = committed()
    metadata = fill_in(files["metadata.txt"].decode())
    if given.release and missing_settings(metadata):
        fail(f"fill in {', '.join(missing_settings(metadata))} at the top of the Makefile.")
    built = guide()
    if given.release and not built:
        fail("a release has the user's guide.")
    files.update(built)
    files["metadata.txt"] = metadata.encode()
    files["README.md"] = files["resources/help.md"]  # the project's own speaks of make
    given.zip.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(given.zip, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"randcrowns/{name}", _EPOCH)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            file.writestr(entry, content)
    print(given.zip)


if __name__ == "__main__":
    main()
