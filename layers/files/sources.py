"""What a report cites: the entries of resources/sources.bib."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).resolve().parents[2] / "resources" / "sources.bib"
_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
#: Authors that are named in a citation; of more the first is.
_NAMED = 3


class Source(NamedTuple):
    """A work: its key, a citation for a list of references, its address (empty without one), and its BibTeX entry."""

    key: str
    citation: str
    address: str
    bibtex: str


@functools.cache
def sources() -> dict[str, Source]:
    """All that can be cited, by key."""
    return {found[1]: _source(found[1], found[0]) for found in _ENTRY.finditer(_FILE.read_text(encoding="utf-8"))}


def _source(key: str, entry: str) -> Source:
    told = {name: value.replace("--", "–") for name, value in _FIELD.findall(entry)}
    authors = [_initials(name) for name in told["author"].split(" and ")]
    named = ", ".join(authors) if len(authors) <= _NAMED else f"{authors[0]} et al."
    place = told.get("journal") or told.get("booktitle", "")
    volume = told.get("volume", "") + (f"({told['number']})" if "number" in told else "")
    where = ", ".join(filter(None, [place, volume, told.get("pages", "")]))
    citation = f"{named} ({told['year']}). {told['title']}. {where}."
    return Source(key, citation, f"https://doi.org/{told['doi']}" if "doi" in told else "", entry)


def _initials(name: str) -> str:
    """``Stewart, Dylan`` as ``Stewart D.``"""
    family, _, given = name.partition(", ")
    return " ".join([family, "".join(f"{part[0]}." for part in given.split())])
