"""What would be installed on other systems, asked of the index beside other tests: most of the
time goes with waiting.

Run as ``python resolving.py ANSWERS``: reads questions from its input, and writes the answers into
that file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Answer", "answers_in", "begin", "shared_folder"]

#: Code, output and errors of a command.
Answer = tuple[int, str, str]


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder that is the same for all workers of a test run."""
    base = factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def begin(folder: Path, questions: Mapping[str, tuple[list[str], str]]) -> None:
    """Run commands, each with its input, all at once, and do not wait; nothing where another
    worker did.
    """
    try:
        (folder / "asked").touch(exist_ok=False)
    except FileExistsError:
        return
    command = [sys.executable, __file__, str(folder / "answers.json")]
    silent: Any = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }  # else it would keep the run's open
    asking = subprocess.Popen(
        command, stdin=subprocess.PIPE, text=True, start_new_session=True, **silent
    )
    asking.communicate(json.dumps(questions), timeout=300)


def answers_in(folder: Path) -> dict[str, Answer]:
    """Wait for the answers."""
    file, end = folder / "answers.json", time.monotonic() + 300
    while not file.exists():
        if time.monotonic() > end:
            raise TimeoutError("no answer of the index in time")
        time.sleep(0.05)
    return {
        name: tuple(answer) for name, answer in json.loads(file.read_text(encoding="utf-8")).items()
    }


def _main(answers: str) -> None:
    questions = json.load(sys.stdin)
    if os.fork():
        os._exit(0)  # who asked goes on
    pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    asked = {
        name: subprocess.Popen(command, text=True, **pipes)
        for name, (command, _) in questions.items()
    }
    for name, one in asked.items():
        assert one.stdin is not None
        one.stdin.write(questions[name][1])
        one.stdin.close()
        one.stdin = None
    said = {name: one.communicate() for name, one in asked.items()}
    found = {name: (asked[name].returncode, *texts) for name, texts in said.items()}
    Path(f"{answers}.part").write_text(json.dumps(found), encoding="utf-8")
    os.replace(f"{answers}.part", answers)


if __name__ == "__main__":
    _main(sys.argv[1])
