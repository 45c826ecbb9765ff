"""Makes the plugin zip from the last commit: one folder randcrowns/, without what .gitattributes leaves out.

    python3 scripts/package.py build/randcrowns.zip [--release]

Author, email and links come from the environment (the top of the Makefile); --release refuses those of nobody.
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
#: Addresses of nobody; see RFC 2606.
NOBODY = re.compile(r"(^|[@./])example\.(org|com|net)\b")
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


def filled_in(metadata: str) -> str:
    """metadata.txt with the settings that are set."""
    for name in SETTINGS:
        value = os.environ.get(f"PLUGIN_{name.upper()}", "").strip()
        if value:
            metadata = re.sub(rf"(?m)^{name}=.*$", lambda _, line=f"{name}={value}": line, metadata)
    return metadata


def of_nobody(metadata: str) -> list[str]:
    """The settings that nobody has filled in."""
    return [
        name
        for name in SETTINGS
        if NOBODY.search(re.search(rf"(?m)^{name}=(.*)$", metadata).group(1))
    ]  # type: ignore[union-attr]


def main() -> None:
    """Write the zip and print its name."""
    words = argparse.ArgumentParser(description="Makes the plugin zip from the last commit.")
    words.add_argument("zip", type=Path)
    words.add_argument("--release", action="store_true", help="refuse links of nobody")
    given = words.parse_args()
    files = committed()
    metadata = filled_in(files["metadata.txt"].decode())
    if given.release and of_nobody(metadata):
        fail(
            f"fill in {', '.join(of_nobody(metadata))} at the top of the Makefile: nobody has these addresses."
        )
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
