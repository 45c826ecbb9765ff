"""Works that reports cite, read from ``resources/sources.bib``."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import NamedTuple

#: Folder with the list of works and the templates of reports.
RESOURCES = Path(__file__).resolve().parents[1] / "resources"
#: BibTeX entry, with its key as group 1.
_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?\n\}", re.DOTALL)
#: Field of a BibTeX entry: name and value.
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
#: Beginning of the web address of a work with a DOI.
_DOI_START = "https://doi.org/"
#: Beginning of the web address of a preprint.
_ARXIV_START = "https://arxiv.org/abs/"
#: Maximum number of authors that a citation lists; of more authors it names the first.
_MAXIMUM_AUTHORS = 3


class CitedWork(NamedTuple):
    """Work that can be cited."""

    key: str  #: BibTeX key: family name of the first author and year.
    citation: str  #: citation for a list of references.
    address: str  #: web address; empty without one.
    bibtex: str  #: BibTeX entry.

    def is_named(self, text: str) -> bool:
        """Return True if a text contains the first author and, up to 20 characters on, the year."""
        family = self.key[:-4]
        year = self.key[-4:]
        return re.search(rf"\b{family}\b.{{1,20}}\b{year}\b", text, re.IGNORECASE) is not None


@functools.cache
def cited_works() -> dict[str, CitedWork]:
    """Return all works in resources/sources.bib by their keys."""
    text = (RESOURCES / "sources.bib").read_text(encoding="utf-8")
    return {entry[1]: _parse_entry(entry[1], entry[0]) for entry in _ENTRY.finditer(text)}


def _parse_entry(key: str, entry: str) -> CitedWork:
    """Return the work of a BibTeX entry.

    Args:
        key: key of the entry.
        entry: the whole entry, with a line per field. It has at least an author, year and title.

    Returns:
        The work, with a citation such as "Stewart D., Zare A. (2021). Title. Journal, 4(2), 1–9."
    """
    # BibTeX writes a range of pages with two hyphens.
    fields = {name: value.replace("--", "–") for name, value in _FIELD.findall(entry)}

    authors = [_abbreviate_given_names(name) for name in fields["author"].split(" and ")]
    author_list = ", ".join(authors)
    if len(authors) > _MAXIMUM_AUTHORS:
        author_list = f"{authors[0]} et al."

    publication = fields.get("journal") or fields.get("booktitle") or fields.get("publisher", "")
    volume = fields.get("volume", "")
    if "number" in fields:
        volume += f"({fields['number']})"
    details = [publication, volume, fields.get("pages", "")]
    source = ", ".join(detail for detail in details if detail)
    citation = f"{author_list} ({fields['year']}). {fields['title']}. {source}."

    address = ""
    if "doi" in fields:
        address = _DOI_START + fields["doi"]
    elif "eprint" in fields:
        address = _ARXIV_START + fields["eprint"]
    return CitedWork(key, citation, address, entry)


def _abbreviate_given_names(name: str) -> str:
    """Return ``Stewart, Dylan`` as ``Stewart D.``."""
    family, _, given_names = name.partition(", ")
    initials = "".join(f"{given_name[0]}." for given_name in given_names.split())
    return f"{family} {initials}"
