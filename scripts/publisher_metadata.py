"""Write the publisher's name, e-mail and addresses into the pyproject.toml of a release.

The values come from the environment, as for the plugin's zip: ``PLUGIN_AUTHOR``, ``PLUGIN_EMAIL``,
``PLUGIN_HOMEPAGE``, ``PLUGIN_TRACKER`` and ``PLUGIN_REPOSITORY``. Empty ones are left out.

    python scripts/publisher_metadata.py pyproject.toml
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

_AUTHORS = re.compile(r"^authors = .*$", re.MULTILINE)
#: Titles of the addresses on PyPI by the end of their variable.
_URLS = {"HOMEPAGE": "Homepage", "TRACKER": "Issues", "REPOSITORY": "Source"}


def add_publisher(project: str, values: dict[str, str]) -> str:
    """Return the text of a pyproject.toml with the publisher's values.

    Args:
        project: text of the file.
        values: value by the end of its variable, such as ``EMAIL``; "" or missing for none.
    """
    author = {"name": values.get("AUTHOR", ""), "email": values.get("EMAIL", "")}
    if author["name"]:
        # A JSON text is a TOML text.
        fields = ", ".join(f"{key} = {json.dumps(value)}" for key, value in author.items() if value)
        project = _AUTHORS.sub(lambda _: f"authors = [{{ {fields} }}]", project, count=1)
    urls = [
        f"{title} = {json.dumps(values[name])}" for name, title in _URLS.items() if values.get(name)
    ]
    if not urls:
        return project
    return "\n".join([project.rstrip("\n"), "", "[project.urls]", *urls, ""])


if __name__ == "__main__":
    path = Path(sys.argv[1])
    given = {
        name: os.environ.get(f"PLUGIN_{name}", "").strip() for name in ("AUTHOR", "EMAIL", *_URLS)
    }
    path.write_text(add_publisher(path.read_text(encoding="utf-8"), given), encoding="utf-8")
