"""Make the plugin zip from the last commit.

    python3 scripts/package.py build/randcrowns.zip [--release]

The zip contains one folder randcrowns/, without the files that .gitattributes excludes. Author,
email and links come from the environment (see the top of the Makefile); --release refuses empty
ones.
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
#: Names in metadata.txt whose values the publisher supplies.
SETTINGS = ("author", "email", "homepage", "tracker", "repository")
#: Modification time of every file in the zip, so that a commit always gives the same zip.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def fail(message: str) -> None:
    """Exit with a message."""
    sys.exit(f"package: {message}")


def committed_files() -> dict[str, bytes]:
    """Return the contents of the files of the last commit that belong in the zip, by name.

    Uncommitted changes are excluded; a message says so. The script exits outside a git checkout.
    """
    archived = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, capture_output=True, check=False
    )
    if archived.returncode:
        fail(
            "This folder is not a git checkout, and the zip is made from a commit. "
            "Clone the project with git first."
        )
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if changed.stdout.strip():
        print("package: Uncommitted changes are excluded.", file=sys.stderr)

    contents = {}
    with tarfile.open(fileobj=io.BytesIO(archived.stdout)) as archive:
        for member in archive:
            if member.isfile():
                contents[member.name] = archive.extractfile(member).read()  # type: ignore[union-attr]
    return contents


def build_guide() -> dict[str, bytes]:
    """Build the user's guide and return the contents of its files by name.

    If the build fails, print why and return an empty dict.
    """
    build = subprocess.run(
        [ROOT / "scripts" / "guide.sh"], capture_output=True, text=True, check=False
    )
    if build.returncode:
        print(
            f"package: The user's guide cannot be built; the zip lacks it:\n{build.stderr}",
            file=sys.stderr,
        )
        return {}
    folder = ROOT / "resources" / "guide"
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def fill_in_metadata(metadata: str) -> str:
    """Return the text of metadata.txt with the publisher's values from the environment."""
    for name in SETTINGS:
        value = os.environ.get(f"PLUGIN_{name.upper()}", "").strip()
        if value:
            metadata = re.sub(rf"(?m)^{name}=.*\n", "", metadata).rstrip("\n")
            metadata += f"\n{name}={value}\n"
    return metadata


def missing_settings(metadata: str) -> list[str]:
    """Return the names of the publisher's settings that metadata.txt lacks."""
    return [name for name in SETTINGS if not re.search(rf"(?m)^{name}=.", metadata)]


def write_zip(path: Path, files: dict[str, bytes]) -> None:
    """Write files into a zip under randcrowns/, in the order of their names.

    Args:
        path: path of the zip; missing folders are created.
        files: contents by name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"randcrowns/{name}", _EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def main() -> None:
    """Write the zip and print its path."""
    parser = argparse.ArgumentParser(description="Make the plugin zip from the last commit.")
    parser.add_argument("zip", type=Path)
    parser.add_argument("--release", action="store_true", help="refuse a zip without links")
    options = parser.parse_args()

    files = committed_files()
    metadata = fill_in_metadata(files["metadata.txt"].decode())
    if options.release and missing_settings(metadata):
        fail(f"fill in {', '.join(missing_settings(metadata))} at the top of the Makefile.")
    guide_files = build_guide()
    if options.release and not guide_files:
        fail("A release requires the user's guide.")

    files.update(guide_files)
    files["metadata.txt"] = metadata.encode()
    # The project's own README.md is for developers.
    files["README.md"] = files["resources/help.md"]
    write_zip(options.zip, files)
    print(options.zip)


if __name__ == "__main__":
    main()
