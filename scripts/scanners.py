"""Scan a plugin zip or folder with the tools of the public plugin repository.

    python scripts/scanners.py build/randcrowns.zip

The tools are bandit, detect-secrets and flake8. The script prints one line per finding and exits
with 1 if there is any.
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

#: A line that may contain a secret: a quoted word, a long word with digits, part of an address,
#: or a word such as "password".
_MAY_BE_SECRET = re.compile(
    r"""(["'`])[^\s"'`]{8,}\1|(?=\S*\d)[\w/+=-]{16,}|(?i:key|pass|pwd|secret|contrase)|://\S+@"""
)
#: Checks that flake8 omits by default, and those that contradict ruff's formatting.
_IGNORED_CHECKS = "E121,E123,E126,E226,E24,E704,W503,W504,E203,E501,E701"


def _run_scanner(module: str, *arguments: object, folder: Path) -> str:
    """Run a scanner, a module of this Python, in a folder and return its standard output."""
    process = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode not in (0, 1):
        sys.exit(f"scanners: {module}: {process.stderr}")
    return process.stdout


def find_insecure_code(folder: Path) -> list[str]:
    """Return the findings of bandit, including those that a comment excludes.

    A module that bandit skipped is a finding, too.
    """
    report = json.loads(
        _run_scanner("bandit", "-r", ".", "-f", "json", "-q", "--ignore-nosec", folder=folder)
    )
    modules = {path.relative_to(folder) for path in folder.rglob("*.py")}
    skipped = modules - {Path(name) for name in report["metrics"]}
    return [
        *map(str, report["errors"]),
        *(f"{path}: bandit did not scan this module" for path in sorted(skipped)),
        *(
            f"{result['filename']}:{result['line_number']}: "
            f"{result['test_id']} {result['issue_text']}"
            for result in report["results"]
        ),
    ]


def find_secrets(folder: Path) -> list[str]:
    """Return the findings of detect-secrets in all text files below a folder.

    Only distinct lines that may contain a secret are scanned, which is much faster.
    """
    contents = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    texts = [content.decode("utf-8", "replace") for content in contents if b"\0" not in content]
    candidates = set()
    for text in texts:
        candidates.update(line.strip() for line in text.splitlines() if _MAY_BE_SECRET.search(line))
    lines = sorted(candidates)

    with tempfile.TemporaryDirectory() as temporary:
        (Path(temporary) / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
        report = json.loads(
            _run_scanner(
                "detect_secrets", "scan", "--all-files", "lines.txt", folder=Path(temporary)
            )
        )
    findings = report["results"].get("lines.txt", ())
    return [f"{secret['type']}: {lines[secret['line_number'] - 1]}" for secret in findings]


def find_style_errors(folder: Path) -> list[str]:
    """Return the findings of pycodestyle, the first part of flake8."""
    arguments = ["--max-line-length=120", f"--ignore={_IGNORED_CHECKS}", "."]
    return _run_scanner("pycodestyle", *arguments, folder=folder).splitlines()


def find_name_errors(folder: Path) -> list[str]:
    """Return the findings of pyflakes, the second part of flake8.

    Ruff has the same checks and takes a tenth of the time.
    """
    arguments = ["check", "--isolated", "--no-cache", "--select=F", "--output-format=concise", "."]
    lines = _run_scanner("ruff", *arguments, folder=folder).splitlines()
    return [line for line in lines if re.search(r":\d+:\d+: ", line)]


SCANNERS: tuple[Callable[[Path], list[str]], ...] = (
    find_insecure_code,
    find_secrets,
    find_style_errors,
    find_name_errors,
)


def main() -> int:
    """Scan the zip or folder that the command line names and print the findings.

    Returns:
        Exit status: 1 if there are findings, else 0.
    """
    plugin = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as unpacked:
        folder = plugin
        if plugin.is_file():
            folder = Path(unpacked)
            zipfile.ZipFile(plugin).extractall(folder)
        findings = [line for scanner in SCANNERS for line in scanner(folder)]
        n_modules = len([*folder.rglob("*.py")])

    if not n_modules:
        sys.exit(f"scanners: {plugin} contains no modules")
    print("\n".join(findings) or f"scanners: no findings in {n_modules} modules")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
