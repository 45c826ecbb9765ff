"""Update the translation catalogues from the code and compile them: ``make translations``.

A catalogue, ``i18n/randcrowns_<language>.ts``, contains each text once, with the files in which it
occurs; Qt Linguist edits it. Translations of texts that still exist are preserved. The plugin
reads the compiled catalogue, a ``.qm`` file in the same folder.

``scripts/translations.py --page score --language de`` lists the texts of a page that have no
translation, by file; without ``--language`` all texts of the page. ``--page other`` lists the texts
that no page lists.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from messages import ROOT, Message, find_imported_files, find_messages

CATALOGUES = ROOT / "i18n"
#: Qt's name for the group of texts.
CONTEXT = "RandCrowns"
#: Number of plural forms by language: https://doc.qt.io/qt-5/i18n-plural-rules.html.
LANGUAGES = {"de": 2, "es": 2, "fr": 2, "pt_BR": 2}
#: Entry of a page in the list of pages: key and package.
_PAGE_ENTRY = re.compile(r'PageEntry\("(\w+)", "(\w+)"')
#: Value of ``--page`` for the texts that no page lists.
OTHER = "other"
#: Folders with a folder per page.
_PAGE_FLOORS = ("ui", "algorithms", "core")
#: Folders whose texts a page may show: those of the pages, and folders that all pages share.
_SHARED_FLOORS = (*_PAGE_FLOORS, "layers", "report")
#: Possible names and paths of Qt's catalogue compiler.
_COMPILERS = (
    "lrelease",
    "lrelease-qt5",
    "lrelease6",
    "/usr/lib/qt5/bin/lrelease",
    "/usr/lib/qt6/bin/lrelease",
)


class Translation(NamedTuple):
    """A translation.

    Attributes:
        forms: the translated text, one per plural form; a single one for a text without a count.
        is_finished: True once a person has reviewed the translation.
    """

    forms: tuple[str, ...]
    is_finished: bool


def catalogue_path(language: str) -> Path:
    """Return the path of the catalogue of a language."""
    return CATALOGUES / f"randcrowns_{language}.ts"


def read_catalogue(path: Path) -> dict[Message, Translation]:
    """Return the translations in a catalogue; an empty dict if the file does not exist."""
    if not path.is_file():
        return {}
    entries = {}
    for element in ElementTree.parse(path).getroot().iter("message"):
        translation = element.find("translation")
        counts = element.get("numerus") == "yes"
        forms = translation.findall("numerusform") if counts else [translation]
        entries[Message(element.findtext("source", ""), counts)] = Translation(
            tuple(form.text or "" for form in forms), translation.get("type") != "unfinished"
        )
    return entries


def format_catalogue(
    language: str, messages: Mapping[Message, list[str]], known: Mapping[Message, Translation]
) -> str:
    """Return the text of a catalogue.

    Args:
        language: a key of LANGUAGES.
        messages: message -> files in which it occurs, in the order of the catalogue.
        known: existing translations. A text that has become countable, or no longer is, takes
            over its translation as unfinished.
    """
    by_text = {message.text: entry for message, entry in known.items() if any(entry.forms)}
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    ]
    for message, files in messages.items():
        entry = known.get(message)
        if entry is None:
            n_forms = LANGUAGES[language] if message.has_plural else 1
            entry = _unfinished_entry(by_text.get(message.text), n_forms)
        lines += _message_lines(message, files, entry)
    return "\n".join([*lines, "</context>", "</TS>", ""])


def _unfinished_entry(similar: Translation | None, n_forms: int) -> Translation:
    """Return a translation to be reviewed, with the forms of a similar one or empty forms."""
    if similar is None:
        return Translation(("",) * n_forms, False)
    return Translation((similar.forms * n_forms)[:n_forms], False)


def _message_lines(message: Message, files: list[str], entry: Translation) -> list[str]:
    """Return the lines of one message in a catalogue."""
    kind = "" if entry.is_finished else ' type="unfinished"'
    lines = ['    <message numerus="yes">' if message.has_plural else "    <message>"]
    lines += [f'        <location filename="../{file}"/>' for file in files]
    lines.append(f"        <source>{escape(message.text)}</source>")
    if message.has_plural:
        lines.append(f"        <translation{kind}>")
        lines += [f"            <numerusform>{escape(form)}</numerusform>" for form in entry.forms]
        lines.append("        </translation>")
    else:
        lines.append(f"        <translation{kind}>{escape(entry.forms[0])}</translation>")
    lines.append("    </message>")
    return lines


def placeholder_names(text: str) -> list[str]:
    """Return the names of a text's placeholders, sorted; a translation must have the same."""
    return sorted(re.findall(r"\{(\w*)", text.replace("{{", "")))


def compile_catalogue(path: Path) -> None:
    """Write the compiled catalogue next to a catalogue; exit if Qt's compiler is missing."""
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        sys.exit(
            "translations: Qt's lrelease is missing. "
            "Install it (Debian: apt-get install qttools5-dev-tools)."
        )
    subprocess.run(
        [compiler, "-silent", "-removeidentical", str(path), "-qm", str(path.with_suffix(".qm"))],
        check=True,
    )


def page_packages() -> dict[str, str]:
    """Return the name of the folders of each page by the key of the page."""
    return dict(_PAGE_ENTRY.findall((ROOT / "ui/shell/dock.py").read_text(encoding="utf-8")))


def find_page_files(page: str) -> list[Path]:
    """Return the files with the texts of a page: its own, then shared files that they import.

    Args:
        page: key of the page.
    """
    packages = page_packages()
    other_packages = set(packages.values()) - {packages[page]}
    own_files = [
        path
        for floor in _PAGE_FLOORS
        for path in sorted((ROOT / floor / packages[page]).rglob("*.py"))
    ]
    shared_files = set()
    for path in own_files:
        for file in find_imported_files(path):
            floor, folder = file.relative_to(ROOT).parts[:2]
            if floor in _SHARED_FLOORS and folder not in other_packages:
                shared_files.add(file)
    return [*own_files, *sorted(shared_files.difference(own_files))]


def list_page_texts(
    page: str, messages: Mapping[Message, list[str]], known: Mapping[Message, Translation]
) -> dict[str, list[str]]:
    """Return the texts of a page without a translation by file; each text once.

    Args:
        page: key of the page, or ``OTHER`` for the texts that no page lists.
        messages: message -> files in which it occurs.
        known: existing translations; empty for all texts of the page.
    """
    missing = {
        message: files
        for message, files in messages.items()
        if message not in known or not all(known[message].forms)
    }
    if page == OTHER:
        page_files = {file for key in page_packages() for file in _page_file_names(key)}
        missing = {m: files for m, files in missing.items() if page_files.isdisjoint(files)}
        listed_files = sorted({file for files in missing.values() for file in files})
    else:
        listed_files = _page_file_names(page)

    texts: dict[str, list[str]] = {}
    listed: set[Message] = set()
    for file in listed_files:
        for message, files in missing.items():
            if file in files and message not in listed:
                listed.add(message)
                texts.setdefault(file, []).append(message.text)
    return texts


def _page_file_names(page: str) -> list[str]:
    """Return the names of :func:`find_page_files`, relative to the project."""
    return [path.relative_to(ROOT).as_posix() for path in find_page_files(page)]


def print_page_texts(page: str, language: str) -> None:
    """Print the texts of a page by file, those without a translation if a language is named."""
    known = read_catalogue(catalogue_path(language)) if language else {}
    texts = list_page_texts(page, find_messages().messages, known)
    for file, file_texts in texts.items():
        print(file)
        for text in file_texts:
            print(f"    {text}")
    print(f"{sum(map(len, texts.values())):,} texts")


def update_catalogues() -> None:
    """Update and compile all catalogues and print how many texts are not translated."""
    messages = find_messages()
    if messages.unknown:
        sys.exit(
            "translations: the text of these calls cannot be determined from the code:\n"
            + "\n".join(messages.unknown)
        )
    CATALOGUES.mkdir(exist_ok=True)
    for language in LANGUAGES:
        path = catalogue_path(language)
        path.write_text(
            format_catalogue(language, messages.messages, read_catalogue(path)), encoding="utf-8"
        )
        compile_catalogue(path)
        n_missing = sum(not all(entry.forms) for entry in read_catalogue(path).values())
        print(
            f"{path.relative_to(CATALOGUES.parent)}: "
            f"{len(messages.messages):,} texts, {n_missing:,} not translated"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Update the catalogues, or list the texts of a page."""
    parser = argparse.ArgumentParser(description="Update the catalogues in i18n/.")
    parser.add_argument(
        "--page",
        choices=[*page_packages(), OTHER],
        help="list the texts of a page, or those that no page lists",
    )
    parser.add_argument(
        "--language", choices=list(LANGUAGES), help="list only texts without a translation"
    )
    options = parser.parse_args(arguments)
    if options.page:
        print_page_texts(options.page, options.language)
    else:
        update_catalogues()


if __name__ == "__main__":
    main()
