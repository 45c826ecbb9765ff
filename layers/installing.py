"""How libraries are installed on this very system: commands to run, or one line to paste into a terminal."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from randcrowns.layers.libraries import NEEDED, Library, Trouble, own_folder, troubles
from randcrowns.layers.words import tr

#: From this Python on, what Debian and Ubuntu package is new enough: Debian 13, Ubuntu 24.04.
_NEW_ENOUGH = (3, 12)
_PIP = "python3-pip"
_FLATPAK = "flatpak run --devel --command=python3 org.qgis.qgis"
#: What pip says where no versions fit together, or none fits this Python.
_NOTHING_FITS = ("ResolutionImpossible", "No matching distribution")


_MIXED_UP = (
    "RandCrowns is off, since its results would be wrong: another plugin loaded the library shapely first, and in a "
    "way that mixes it up with QGIS's own geometry library. Switch that plugin off (Plugins > Manage and Install "
    "Plugins; it is one that works with shapely or geopandas), then start QGIS again."
)


@dataclass(frozen=True)
class System:
    """What decides how libraries are installed."""

    platform: str  #: ``linux``, ``win32`` or ``darwin``.
    debian: bool  #: whether QGIS's Python is that of Debian, Ubuntu or another system with their packages.
    flatpak: bool  #: whether QGIS runs in a Flatpak.
    python: str  #: the Python that QGIS uses; empty where it is not found.
    version: tuple[int, int]  #: of that Python.
    numpy: str  #: the version of QGIS's numpy; empty without.
    pip: bool  #: whether that Python has pip.
    root: bool  #: whether packages can be installed without asking.
    asks: bool  #: whether the system can ask for a password in a window (pkexec).
    folder: str  #: where pip installs to.


@dataclass(frozen=True)
class Way:
    """How to install: commands to run one after the other, the same as one line for a terminal, and a sentence.

    Without commands, only the line does it; without a line, nothing that is installed.
    """

    commands: tuple[tuple[str, ...], ...]
    line: str
    said: str


def this_system(profile: str | Path = "") -> System:
    """The system that this runs on, for a profile of QGIS."""
    effective = getattr(os, "geteuid", None)
    return System(
        platform="linux" if sys.platform.startswith("linux") else sys.platform,
        debian=sys.exec_prefix == "/usr" and shutil.which("apt-get") is not None,
        flatpak=Path("/.flatpak-info").is_file(),
        python=python_program(),
        version=sys.version_info[:2],
        numpy=_version_of_numpy(),
        pip=importlib.util.find_spec("pip") is not None,
        root=effective is not None and effective() == 0,
        asks=shutil.which("pkexec") is not None,
        folder=str(own_folder(profile)),
    )


def python_program(prefix: str = "", executable: str = "") -> str:
    """The Python that QGIS uses: within QGIS the running program may be QGIS itself. Empty where it is not found."""
    home = Path(prefix or sys.exec_prefix)
    numbered = "python{}.{}".format(*sys.version_info[:2])
    running = Path(executable or sys.executable or "")
    beside = [
        home / "bin" / numbered,
        home / "bin" / "python3",
        home / "python3.exe",
        home / "python.exe",
    ]
    beside += [running.parent / "bin" / "python3", running.parent / "python3.exe"]
    candidates = [*([running] if running.name.startswith("python") else []), *beside]
    return next((str(path) for path in candidates if path.is_file()), "")


def way_for(found: Iterable[Trouble], system: System) -> Way:
    """How the libraries in trouble are installed on a system."""
    found = tuple(found)
    if not all(one.mends for one in found):
        return Way((), "", tr(_MIXED_UP))
    libraries = [one.library for one in found]
    packaged = [
        one for one in libraries if one.package and system.debian and system.version >= _NEW_ENOUGH
    ]
    through_pip = [one for one in libraries if one not in packaged]
    packages = [one.package for one in packaged]
    if through_pip and system.debian and not system.pip:
        packages.append(_PIP)
    commands: list[tuple[str, ...]] = []
    lines: list[str] = []
    if packages:
        rights = () if system.root else ("pkexec",)
        commands.append((*rights, "apt-get", "install", "-y", *packages))
        lines.append(("" if system.root else "sudo ") + "apt-get install -y " + " ".join(packages))
    if through_pip:
        pinned = [f"numpy=={system.numpy}"] if system.numpy else []
        wanted = [one.requirement for one in through_pip if one.name != "numpy" or not pinned]
        pip = [
            "-m",
            "pip",
            "install",
            "--upgrade",
            "--only-binary=:all:",
            "--target",
            system.folder,
        ]
        words = [*pip, *wanted, *pinned]
        program = system.python or "python3"
        commands.append((program, *words))
        quoted = " ".join(_quoted(word, system.platform) for word in words)
        lines.append(
            f"{_FLATPAK if system.flatpak else _quoted(program, system.platform)} {quoted}"
        )
    can_run = (not packages or system.root or system.asks) and (
        not through_pip or (bool(system.python) and (system.pip or system.debian))
    )
    return Way(
        tuple(commands) if can_run else (),
        " && ".join(lines),
        _said(libraries, packages, system, can_run),
    )


def _said(libraries: list[Library], packages: list[str], system: System, can_run: bool) -> str:
    where = tr("into {folder}, which only RandCrowns uses", folder=system.folder)
    if packages and len(packages) >= len(libraries) and _PIP not in packages:
        said = tr("They are packages of this system.")
    elif packages == [_PIP]:
        said = tr(
            "The system's package {pip} comes first; it installs them {where}.",
            pip=_PIP,
            where=where,
        )
    elif packages:
        said = tr("Packages of this system come first; pip installs the rest {where}.", where=where)
    else:
        said = tr(
            "pip of QGIS's own Python installs them {where}, beside QGIS's numpy.", where=where
        )
    if system.platform == "win32":
        names = ", ".join(one.package for one in libraries if one.package)
        said = tr(
            "In OSGeo4W Setup they are called {names}. Without it: {said}", names=names, said=said
        )
    if can_run:
        return said
    where = tr("the OSGeo4W shell") if system.platform == "win32" else tr("a terminal")
    return (
        said + " " + tr("QGIS cannot do it itself here: copy the line into {where}.", where=where)
    )


def trouble(group: str = NEEDED) -> str:
    """Why the libraries of a group cannot be used, and what to do, in a sentence; empty when they can."""
    found = troubles(group)
    return told(found) if found else ""


def told(found: Iterable[Trouble]) -> str:
    """What cannot be used and why, in a sentence, with what to do about it."""
    found = tuple(found)
    way = way_for(found, this_system())
    if not way.line:
        return way.said
    return tr(
        "This requires Python libraries that cannot be used here: {names}. The RandCrowns panel offers to install "
        "them; or type in a terminal, then start QGIS again: {line}",
        names=", ".join(one.sentence for one in found),
        line=way.line,
    )


def why_failed(log: str, system: System) -> str:
    """What to make of an installation that failed with this log."""
    if any(words in log for words in _NOTHING_FITS):
        return tr(
            "No versions of these libraries fit Python {python} and numpy {numpy} of this QGIS; a newer QGIS brings "
            "newer ones. The log says which.",
            python="{}.{}".format(*system.version),
            numpy=system.numpy,
        )
    return tr("The installation failed; the log says why. Nothing of QGIS was changed.")


def _version_of_numpy() -> str:
    try:
        return str(importlib.import_module("numpy").__version__)
    except Exception:  # noqa: BLE001 - a broken numpy may raise anything
        return ""


def _quoted(word: str, platform: str) -> str:
    """The word as a terminal takes it."""
    if all(letter.isalnum() or letter in "/\\:.,_-=" for letter in word):
        return word
    if platform == "win32":
        return f'"{word}"'
    return "'" + word.replace("'", "'\\''") + "'"
