"""Commands that install the missing Python libraries on the user's system."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from randcrowns.layers.libraries import (
    REQUIRED,
    Library,
    LibraryProblem,
    library_folder,
    library_problems,
)
from randcrowns.layers.localization import tr

#: First Python version for which the packages of Debian and Ubuntu are new enough (Debian 13,
#: Ubuntu 24.04).
_MIN_PACKAGED_PYTHON = (3, 12)
#: Debian's package of pip.
_PIP_PACKAGE = "python3-pip"
_FLATPAK = "flatpak run --devel --command=python3 org.qgis.qgis"
#: Parts of pip's log if no versions fit together, or none fits this Python.
_NO_VERSION_FITS = ("ResolutionImpossible", "No matching distribution")
_MIXED_UP = (
    "RandCrowns is off, since its results would be wrong: another plugin loaded the library "
    "shapely first, and mixed it up with QGIS's own geometry library. Switch that plugin off "
    "(Plugins > Manage and Install Plugins; it uses shapely or geopandas), then restart QGIS."
)


@dataclass(frozen=True)
class System:
    """Properties of a system that decide how libraries are installed."""

    platform: str  #: ``linux``, ``win32`` or ``darwin``.
    is_debian: bool  #: True if QGIS's Python is that of Debian, Ubuntu or a derived system.
    is_flatpak: bool  #: True if QGIS runs in a Flatpak.
    python: str  #: path of the Python that QGIS uses; empty if it is not found.
    python_version: tuple[int, int]  #: version of that Python.
    numpy_version: str  #: version of QGIS's numpy; empty without numpy.
    has_pip: bool  #: True if that Python has pip.
    is_root: bool  #: True if packages can be installed without a password.
    can_ask_password: bool  #: True if the system can ask for a password in a window (pkexec).
    pip_folder: str  #: folder that pip installs to.


@dataclass(frozen=True)
class Instructions:
    """Instructions to install libraries.

    Attributes:
        commands: commands to run one after the other; empty if QGIS cannot run them.
        shell_line: the same commands as one line for a terminal; empty if no installation helps.
        explanation: explanation for the user.
    """

    commands: tuple[tuple[str, ...], ...]
    shell_line: str
    explanation: str


class _Step(NamedTuple):
    """One command of an installation."""

    command: tuple[str, ...]  #: words of the command that QGIS runs.
    shell_command: str  #: the same command for the user's shell.
    can_run: bool  #: True if QGIS can run the command.


def current_system(profile: str | Path = "") -> System:
    """Return the properties of the system that QGIS runs on.

    Args:
        profile: folder of the QGIS profile; by default the current one.
    """
    get_user_id = getattr(os, "geteuid", None)  # missing on Windows
    return System(
        platform="linux" if sys.platform.startswith("linux") else sys.platform,
        is_debian=sys.exec_prefix == "/usr" and shutil.which("apt-get") is not None,
        is_flatpak=Path("/.flatpak-info").is_file(),
        python=python_program(),
        python_version=sys.version_info[:2],
        numpy_version=_read_numpy_version(),
        has_pip=importlib.util.find_spec("pip") is not None,
        is_root=get_user_id is not None and get_user_id() == 0,
        can_ask_password=shutil.which("pkexec") is not None,
        pip_folder=str(library_folder(profile)),
    )


def python_program(prefix: str = "", executable: str = "") -> str:
    """Return the path of the Python that QGIS uses, or "" if it is not found.

    Within QGIS the running program may be QGIS itself. Python is then searched in its folders.

    Args:
        prefix: folder of the Python installation; by default that of the running Python.
        executable: the running program; by default as Python reports it.
    """
    home = Path(prefix or sys.exec_prefix)
    program = Path(executable or sys.executable or "")
    versioned_name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [
        home / "bin" / versioned_name,
        home / "bin" / "python3",
        home / "python3.exe",
        home / "python.exe",
        program.parent / "bin" / "python3",
        program.parent / "python3.exe",
    ]
    if program.name.startswith("python"):
        candidates.insert(0, program)
    for candidate in candidates:
        if candidate.is_file():
            return str(candidate)
    return ""


def installation_instructions(unusable: Iterable[LibraryProblem], system: System) -> Instructions:
    """Return the instructions to install libraries on a system.

    Packages of the system are preferred if they are new enough; pip installs the rest.

    Args:
        unusable: the libraries that cannot be used.
        system: properties of the system.
    """
    problems = tuple(unusable)
    if not all(problem.is_fixable for problem in problems):
        return Instructions((), "", tr(_MIXED_UP))

    libraries = [problem.library for problem in problems]
    has_packages = system.is_debian and system.python_version >= _MIN_PACKAGED_PYTHON
    packages: list[str] = []
    pip_libraries: list[Library] = []
    for library in libraries:
        if has_packages and library.package:
            packages.append(library.package)
        else:
            pip_libraries.append(library)
    # Debian installs pip as a package, which then installs the other libraries.
    if pip_libraries and system.is_debian and not system.has_pip:
        packages.append(_PIP_PACKAGE)

    steps: list[_Step] = []
    if packages:
        steps.append(_create_package_step(packages, system))
    if pip_libraries:
        steps.append(_create_pip_step(pip_libraries, system))
    can_run = all(step.can_run for step in steps)
    commands = [step.command for step in steps] if can_run else []
    return Instructions(
        commands=tuple(commands),
        shell_line=" && ".join(step.shell_command for step in steps),
        explanation=_explain_failure(libraries, packages, system, can_run),
    )


def _create_package_step(packages: Sequence[str], system: System) -> _Step:
    """Return the step that installs packages of Debian.

    Args:
        packages: names of the packages.
        system: properties of the system.
    """
    install = ("apt-get", "install", "-y", *packages)
    if system.is_root:
        return _Step(command=install, shell_command=" ".join(install), can_run=True)
    # QGIS asks for the password in a window (pkexec), a terminal in text (sudo).
    return _Step(
        command=("pkexec", *install),
        shell_command=" ".join(["sudo", *install]),
        can_run=system.can_ask_password,
    )


def _create_pip_step(libraries: Sequence[Library], system: System) -> _Step:
    """Return the step that installs libraries with pip, which Debian installs as a package.

    Args:
        libraries: libraries to install.
        system: properties of the system.
    """
    arguments = _list_pip_arguments(libraries, system)
    will_have_pip = system.has_pip or system.is_debian
    return _Step(
        command=(system.python or "python3", *arguments),
        shell_command=_compose_pip_command(arguments, system),
        can_run=bool(system.python) and will_have_pip,
    )


def _compose_pip_command(arguments: Sequence[str], system: System) -> str:
    """Return the command line that runs pip in the user's shell.

    Args:
        arguments: arguments of Python.
        system: properties of the system.
    """
    if system.is_flatpak:
        program = _FLATPAK
    else:
        program = _quote_argument(system.python or "python3", system.platform)
    quoted_arguments = [_quote_argument(argument, system.platform) for argument in arguments]
    return " ".join([program, *quoted_arguments])


def _list_pip_arguments(libraries: Sequence[Library], system: System) -> list[str]:
    """Return the arguments of Python that install libraries with pip, for QGIS's numpy."""
    arguments = [
        "-m",
        "pip",
        "install",
        "--upgrade",
        "--only-binary=:all:",
        "--target",
        system.pip_folder,
    ]
    has_numpy = bool(system.numpy_version)
    arguments += [
        library.requirement for library in libraries if not (library.name == "numpy" and has_numpy)
    ]
    if has_numpy:
        arguments.append(f"numpy=={system.numpy_version}")
    return arguments


def _explain_failure(
    libraries: Sequence[Library], packages: Sequence[str], system: System, can_run: bool
) -> str:
    """Return the sentences that explain an installation to the user.

    Args:
        libraries: the libraries to install.
        packages: the packages of the system to install, pip among them.
        system: properties of the system.
        can_run: True if QGIS can run the commands itself.
    """
    explanation = _describe_steps(libraries, packages, system)
    is_windows = system.platform == "win32"
    if is_windows:
        explanation = tr(
            "In OSGeo4W Setup the packages are called {names}. Without OSGeo4W: {said}",
            names=", ".join(library.package for library in libraries if library.package),
            said=explanation,
        )
    if can_run:
        return explanation
    if is_windows:
        request = tr("QGIS cannot install them here. Copy the line into the OSGeo4W shell.")
    else:
        request = tr("QGIS cannot install them here. Copy the line into a terminal.")
    return f"{explanation} {request}"


def _describe_steps(libraries: Sequence[Library], packages: Sequence[str], system: System) -> str:
    """Return the sentences about what the system's packages and pip install.

    Args:
        libraries: the libraries to install.
        packages: the packages of the system to install, pip among them.
        system: properties of the system.
    """
    if not packages:
        return tr(
            "pip of QGIS's own Python installs the libraries into {folder}, which only RandCrowns "
            "uses. QGIS's numpy stays as it is.",
            folder=system.pip_folder,
        )
    if len(packages) >= len(libraries) and _PIP_PACKAGE not in packages:
        return tr("The libraries are packages of this system.")
    if packages == [_PIP_PACKAGE]:
        return tr(
            "First, the system's package {pip} is installed. It then installs the libraries into "
            "{folder}, which only RandCrowns uses.",
            pip=_PIP_PACKAGE,
            folder=system.pip_folder,
        )
    return tr(
        "First, packages of this system are installed. Then pip installs the other libraries "
        "into {folder}, which only RandCrowns uses.",
        folder=system.pip_folder,
    )


def libraries_message(group: str = REQUIRED) -> str:
    """Return a message that says why the libraries of a group cannot be used, and what to do.

    Args:
        group: a key of :data:`~randcrowns.layers.libraries.LIBRARIES`.

    Returns:
        The message; empty if all libraries can be used.
    """
    problems = library_problems(group)
    return problems_message(problems) if problems else ""


def problems_message(unusable: Iterable[LibraryProblem]) -> str:
    """Return a message that lists libraries that cannot be used, and says what to do."""
    problems = tuple(unusable)
    way = installation_instructions(problems, current_system())
    if not way.shell_line:
        return way.explanation
    return tr(
        "This requires Python libraries that cannot be used here: {names}. Install them in the "
        "RandCrowns panel, or run this line in a terminal, then start QGIS again: {line}",
        names=", ".join(problem.sentence for problem in problems),
        line=way.shell_line,
    )


def failure_message(log: str, system: System) -> str:
    """Return a message about an installation that failed.

    Args:
        log: output of the commands.
        system: properties of the system.
    """
    if any(part in log for part in _NO_VERSION_FITS):
        return tr(
            "No versions of these libraries fit Python {python} and numpy {numpy} of this QGIS. "
            "Install a newer QGIS, which contains newer versions of both. The log has the details.",
            python="{}.{}".format(*system.python_version),
            numpy=system.numpy_version,
        )
    return tr("The installation failed; the log says why. Nothing of QGIS was changed.")


def _read_numpy_version() -> str:
    """Return the version of QGIS's numpy, or "" if it cannot be imported."""
    try:
        return str(importlib.import_module("numpy").__version__)
    except Exception:  # noqa: BLE001 - a broken numpy may raise anything
        return ""


def _quote_argument(word: str, platform: str) -> str:
    """Return a word of a command line, quoted for the shell of a platform if necessary."""
    if all(letter.isalnum() or letter in "/\\:.,_-=" for letter in word):
        return word
    if platform == "win32":
        return f'"{word}"'
    # A quotation mark within quotation marks ends them, is escaped, and begins them again.
    escaped_word = word.replace("'", "'\\''")
    return f"'{escaped_word}'"
