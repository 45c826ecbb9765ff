"""Manual page of the command, in the format of man, made from the parser."""

from __future__ import annotations

import argparse

from randcrowns.command.completion import job_parsers
from randcrowns.jobs.version import version


def manual_page(parser: argparse.ArgumentParser) -> str:
    """Return the manual page of the command and all its jobs.

    Args:
        parser: parser of the command.

    >>> from randcrowns.command.parser import build_parser
    >>> manual_page(build_parser()).startswith(".TH RANDCROWNS 1")
    True
    """
    lines = [
        f'.TH RANDCROWNS 1 "" "randcrowns {version()}" "User Commands"',
        ".SH NAME",
        "randcrowns \\- score tree crown delineations, compare annotators, evaluate detectors",
        ".SH SYNOPSIS",
        ".B randcrowns",
        ".I JOB",
        "[options]",
        ".SH DESCRIPTION",
        *_paragraphs(parser.description or ""),
    ]
    for name, job in job_parsers(parser).items():
        lines.append(f".SH {name.upper()}")
        lines += _paragraphs(job.description or "")
        for action in job._actions:  # noqa: SLF001 - argparse has no public list of actions
            if action.help and action.help != argparse.SUPPRESS:
                lines += _describe_argument(action)
    return "\n".join(lines) + "\n"


def _describe_argument(action: argparse.Action) -> list[str]:
    """Return the lines about an argument or an option."""
    value = ""
    if not action.option_strings:
        names = str(action.metavar or action.dest)
    else:
        names = ", ".join(action.option_strings)
        if isinstance(action.metavar, str) and action.metavar:
            value = f" {action.metavar}"
    help_text = (action.help or "").replace("%%", "%")
    return [".TP", f"\\fB{_escape(names)}\\fR{_escape(value)}", _escape(help_text)]


def _paragraphs(text: str) -> list[str]:
    """Return the lines of a text; indented lines are examples, which are not filled."""
    lines = []
    for line in text.splitlines():
        if line.startswith("  "):
            lines += [".br", _escape(line.strip())]
        else:
            lines.append(_escape(line) if line.strip() else ".PP")
    return lines


def _escape(text: str) -> str:
    r"""Return a text in which no character has a meaning for man.

    >>> _escape("--out"), _escape(".gpkg")
    ('\\-\\-out', '\\&.gpkg')
    """
    escaped = text.replace("\\", "\\\\").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
