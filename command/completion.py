"""Completion of jobs, options and values in a shell, made from the parser of the command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_BASH = """\
_randcrowns() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local job=${{COMP_WORDS[1]}}
    if (( COMP_CWORD == 1 )); then
        COMPREPLY=( $(compgen -W "{jobs} --help --version" -- "$word") )
        return
    fi
    case "$job $before" in
{values}
    esac
    if [[ $word == -* ]]; then
        case "$job" in
{options}
        esac
    else
        COMPREPLY=( $(compgen -f -- "$word") )
    fi
}}
complete -o filenames -F _randcrowns randcrowns
"""
#: Lines after which zsh runs a completion script of bash.
_ZSH_PREFIX = "autoload -U +X bashcompinit && bashcompinit\n"


@dataclass
class _Job:
    """Options of a job."""

    about: str  #: one sentence.
    options: list[str] = field(default_factory=list)  #: all options, such as ``--out``.
    values: dict[str, list[str]] = field(default_factory=dict)  #: choices of options.
    positional_values: list[str] = field(default_factory=list)  #: choices of arguments.


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script with which a shell completes the command.

    Args:
        parser: parser of the command.
        shell: ``bash``, ``zsh`` or ``fish``, which the parser of the command checks.

    Returns:
        The text of the script. That of zsh is the script of bash, which zsh can run.

    >>> from randcrowns.command.parser import build_parser
    >>> "--bootstrap-samples" in completion_script(build_parser(), "bash")
    True
    """
    jobs = _read_jobs(parser)
    if shell == "fish":
        return _fish_script(jobs)
    if shell == "zsh":
        return _ZSH_PREFIX + _bash_script(jobs)
    return _bash_script(jobs)


def job_parsers(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of the jobs by name."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of actions
        if isinstance(action.choices, dict):
            return action.choices
    return {}


def job_help(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the sentence about each job by name."""
    sentences = {}
    for name, job in job_parsers(parser).items():
        sentences[name] = (job.description or "").partition("\n")[0]
    return sentences


def _read_jobs(parser: argparse.ArgumentParser) -> dict[str, _Job]:
    """Return the options of all jobs by name."""
    sentences = job_help(parser)
    jobs = {}
    for name, job_parser in job_parsers(parser).items():
        job = _Job(sentences[name])
        for action in job_parser._actions:  # noqa: SLF001 - argparse has no public list of actions
            choices = [str(choice) for choice in action.choices or ()]
            if not action.option_strings:
                job.positional_values += choices
                continue
            job.options += action.option_strings
            if choices:
                for option in action.option_strings:
                    job.values[option] = choices
        jobs[name] = job
    return jobs


def _bash_script(jobs: Mapping[str, _Job]) -> str:
    """Return the script for bash."""
    value_cases = []
    option_cases = []
    for name, job in jobs.items():
        for option, choices in job.values.items():
            value_cases.append(f'        "{name} {option}") {_bash_reply(choices)}; return ;;')
        if job.positional_values:
            # The first argument follows the name of the job.
            reply = _bash_reply(job.positional_values)
            value_cases.append(f'        "{name} {name}") {reply}; return ;;')
        option_cases.append(f"            {name}) {_bash_reply(job.options)} ;;")
    return _BASH.format(
        jobs=" ".join(jobs), values="\n".join(value_cases), options="\n".join(option_cases)
    )


def _bash_reply(words: Sequence[str]) -> str:
    """Return the assignment with which bash completes the current word from a list of words."""
    return f'COMPREPLY=( $(compgen -W "{" ".join(words)}" -- "$word") )'


def _fish_script(jobs: Mapping[str, _Job]) -> str:
    """Return the script for fish."""
    lines = ["complete -c randcrowns -n __fish_use_subcommand -l version -d 'print the version'"]
    for name, job in jobs.items():
        about = job.about.replace("'", "\\'")
        lines.append(f"complete -c randcrowns -n __fish_use_subcommand -a {name} -d '{about}'")
        condition = f"-n '__fish_seen_subcommand_from {name}'"
        for option in job.options:
            if option.startswith("--"):
                choices = job.values.get(option, [])
                value = f" -x -a '{' '.join(choices)}'" if choices else ""
                lines.append(f"complete -c randcrowns {condition} -l {option[2:]}{value}")
        if job.positional_values:
            words = " ".join(job.positional_values)
            lines.append(f"complete -c randcrowns {condition} -x -a '{words}'")
    return "\n".join(lines) + "\n"
