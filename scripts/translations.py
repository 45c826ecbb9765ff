"""Brings the catalogues of translations up to date with the code, and compiles them: ``make translations``.

A catalogue, ``i18n/randcrowns_<language>.ts``, holds each text once, with the files it is in; Qt Linguist edits it.
Translations of texts that are still there stay; the plugin reads the compiled one beside it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from messages import Message, find

CATALOGUES = Path(__file__).resolve().parents[1] / "i18n"
CONTEXT = "RandCrowns"
#: Language -> how many forms it has for numbers.
LANGUAGES = {"de": 2}
#: Where systems keep Qt's compiler of catalogues.
_COMPILERS = (
    "lrelease",
    "lrelease-qt5",
    "lrelease6",
    "/usr/lib/qt5/bin/lrelease",
    "/usr/lib/qt6/bin/lrelease",
)


class Entry(NamedTuple):
    """A translation: its forms, one where the text does not count; ``finished`` once a person has looked at it."""

    forms: tuple[str, ...]
    finished: bool


def catalogue_of(language: str) -> Path:
    """The catalogue of a language."""
    return CATALOGUES / f"randcrowns_{language}.ts"


def read(path: Path) -> dict[Message, Entry]:
    """The translations in a catalogue; none where there is no file."""
    if not path.is_file():
        return {}
    found = {}
    for one in ElementTree.parse(path).getroot().iter("message"):
        translation = one.find("translation")
        counts = one.get("numerus") == "yes"
        forms = translation.findall("numerusform") if counts else [translation]
        found[Message(one.findtext("source", ""), counts)] = Entry(
            tuple(form.text or "" for form in forms), translation.get("type") != "unfinished"
        )
    return found


def written(
    language: str, messages: Mapping[Message, list[str]], known: Mapping[Message, Entry]
) -> str:
    """A catalogue with these messages and the files they are in, and the translations that are known."""
    by_text = {message.text: entry for message, entry in known.items() if any(entry.forms)}
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    ]
    for message, files in messages.items():
        number = LANGUAGES[language] if message.counts else 1
        entry = known.get(message)
        if entry is None:
            other = by_text.get(message.text)
            entry = Entry(
                tuple((other.forms * number)[:number]) if other else ("",) * number, False
            )
        kind = "" if entry.finished else ' type="unfinished"'
        lines.append('    <message numerus="yes">' if message.counts else "    <message>")
        lines += [f'        <location filename="../{file}"/>' for file in files]
        lines.append(f"        <source>{escape(message.text)}</source>")
        if message.counts:
            lines.append(f"        <translation{kind}>")
            lines += [
                f"            <numerusform>{escape(form)}</numerusform>" for form in entry.forms
            ]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{kind}>{escape(entry.forms[0])}</translation>")
        lines.append("    </message>")
    return "\n".join([*lines, "</context>", "</TS>", ""])


def names_in(text: str) -> list[str]:
    """The values that a text names, sorted; a translation names the same."""
    return sorted(re.findall(r"\{(\w*)", text.replace("{{", "")))


def compile_catalogue(path: Path) -> None:
    """Write the compiled catalogue beside it, with all that is translated."""
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        sys.exit(
            "translations: Qt's lrelease is missing; install it (Debian: apt-get install qttools5-dev-tools)."
        )
    subprocess.run(
        [compiler, "-silent", "-removeidentical", str(path), "-qm", str(path.with_suffix(".qm"))],
        check=True,
    )


def main() -> None:
    """Bring all catalogues up to date, and say what is left to translate."""
    found = find()
    if found.unknown:
        sys.exit(
            "translations: these texts are not known from the code:\n" + "\n".join(found.unknown)
        )
    CATALOGUES.mkdir(exist_ok=True)
    for language in LANGUAGES:
        path = catalogue_of(language)
        path.write_text(written(language, found.messages, read(path)), encoding="utf-8")
        compile_catalogue(path)
        left = sum(not all(entry.forms) for entry in read(path).values())
        print(
            f"{path.relative_to(CATALOGUES.parent)}: {len(found.messages):,} texts, {left:,} to translate"
        )


if __name__ == "__main__":
    main()
