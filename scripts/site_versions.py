"""List the versions in the folder of a website, and forward its first page to the newest one.

The theme reads ``versions.json`` and shows the versions beside the title. A website is published by
copying the folder of each release into one folder and running this script on it.

    python scripts/site_versions.py build/site
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

_FORWARD = """<!doctype html>
<html lang="en">
<title>RandCrowns</title>
<meta http-equiv="refresh" content="0; url={version}/index.html">
<a href="{version}/index.html">RandCrowns {version}</a>
</html>
"""


def list_versions(site: Path) -> list[str]:
    """Return the names of the folders with a guide, the newest version first."""
    names = [page.parent.name for page in site.glob("*/index.html")]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def write_versions(site: Path) -> None:
    """Write ``versions.json`` and ``index.html`` of a website.

    Args:
        site: folder with a folder for each version.
    """
    versions = list_versions(site)
    entries: list[dict[str, object]] = [
        {"version": name, "title": name, "aliases": ["latest"] if number == 0 else []}
        for number, name in enumerate(versions)
    ]
    (site / "versions.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    (site / "index.html").write_text(_FORWARD.format(version=versions[0]), encoding="utf-8")


if __name__ == "__main__":
    write_versions(Path(sys.argv[1]))
