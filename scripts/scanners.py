"""What the public repository scans a plugin with, over a zip or a folder: bandit, detect-secrets, and flake8.

    python scripts/scanners.py build/randcrowns.zip

Prints what they find, a line each, and ends with 1 where they find anything.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

#: A secret is one word in quotes, a long word with digits, part of an address, or beside a word that says so.
_MAY_BE_SECRET = re.compile(
    r"""(["'`])[^\s"'`]{8,}\1|(?=\S*\d)[\w/+=-]{16,}|(?i:key|pass|pwd|secret|contrase)|://\S+@"""
)
#: What flake8 does not ask by default, and what ruff, which formats the code, does in another way.
_NOT_ASKED = "E121,E123,E126,E226,E24,E704,W503,W504,E203,E501,E701"


def _said(name: str, *words: object, within: Path) -> str:
    """What a scanner prints; it is a module of this Python."""
    done = subprocess.run(
        [sys.executable, "-m", name, *map(str, words)],
        cwd=within,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"scanners: {name}: {done.stderr}")
    return done.stdout


def insecure(folder: Path) -> list[str]:
    """What bandit finds; no comment hides anything from it."""
    found = json.loads(
        _said("bandit", "-r", ".", "-f", "json", "-q", "--ignore-nosec", within=folder)
    )
    missed = {path.relative_to(folder) for path in folder.rglob("*.py")} - {
        Path(one) for one in found["metrics"]
    }
    results = [
        f"{one['filename']}:{one['line_number']}: {one['test_id']} {one['issue_text']}"
        for one in found["results"]
    ]
    return [
        *map(str, found["errors"]),
        *(f"{path}: bandit did not look at it" for path in sorted(missed)),
        *results,
    ]


def secrets(folder: Path) -> list[str]:
    """What detect-secrets finds: each line once, of those that may hold one. It looks at what lies within a folder."""
    contents = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    texts = [content.decode("utf-8", "replace") for content in contents if b"\0" not in content]
    lines = sorted(
        {
            line.strip()
            for text in texts
            for line in text.splitlines()
            if _MAY_BE_SECRET.search(line)
        }
    )
    with tempfile.TemporaryDirectory() as empty:
        (Path(empty) / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
        found = json.loads(
            _said("detect_secrets", "scan", "--all-files", "lines.txt", within=Path(empty))
        )["results"]
    return [f"{one['type']}: {lines[one['line_number'] - 1]}" for one in found.get("lines.txt", ())]


def spaces(folder: Path) -> list[str]:
    """What the first part of flake8 finds."""
    asked = ["--max-line-length=120", f"--ignore={_NOT_ASKED}", "."]
    return _said("pycodestyle", *asked, within=folder).splitlines()


def names(folder: Path) -> list[str]:
    """What the second part of flake8 finds, asked of ruff, which says the same in a tenth of the time."""
    asked = ["check", "--isolated", "--no-cache", "--select=F", "--output-format=concise", "."]
    found = _said("ruff", *asked, within=folder).splitlines()
    return [line for line in found if re.search(r":\d+:\d+: ", line)]


SCANNERS: tuple[Callable[[Path], list[str]], ...] = (insecure, secrets, spaces, names)


def main() -> int:
    """Scan; 1 where anything is found."""
    place = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as unpacked:
        if place.is_file():
            zipfile.ZipFile(place).extractall(unpacked)
        folder = Path(unpacked) if place.is_file() else place
        found = [line for scanner in SCANNERS for line in scanner(folder)]
        modules = len([*folder.rglob("*.py")])
    if not modules:
        sys.exit(f"scanners: {place} holds no modules")
    print("\n".join(found) or f"scanners: nothing in {modules} modules")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
