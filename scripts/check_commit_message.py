"""Check that a commit message follows CONTRIBUTING.md.

    python3 scripts/check_commit_message.py [FILE]

FILE holds the message, as git passes it to a commit-msg hook. Without FILE the last commit is checked.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_MAX_SUBJECT = 72
#: First words that are no imperative: past tense, gerunds, third person, articles and pronouns.
_NOT_IMPERATIVE = re.compile(
    r"(?i)(\w+ed|\w+ing|the|a|an|what|that|who|whether|it|more|some|read over)\b"
)
_THIRD_PERSON = re.compile(
    r"(?i)(?!(focus|process|address|pass|discuss|express|access|compress)\b)\w+[^s]s\b"
)


def problems(message: str) -> list[str]:
    """Return what is wrong with a commit message, one sentence per problem."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if subject.startswith(("Merge ", "Revert ")):
        return []
    found = []
    if not subject:
        found.append("The subject is empty.")
    if len(subject) > _MAX_SUBJECT:
        found.append(
            f"The subject has {len(subject)} characters; at most {_MAX_SUBJECT} are allowed."
        )
    if subject.endswith("."):
        found.append("The subject ends with a full stop.")
    if subject and not subject[0].isupper():
        found.append("The subject does not begin with a capital letter.")
    if _NOT_IMPERATIVE.match(subject) or _THIRD_PERSON.match(subject):
        found.append(
            f"The subject begins with '{subject.split()[0]}', which is no imperative verb."
        )
    if len(lines) > 1 and lines[1].strip():
        found.append("The second line is not empty.")
    return found


def main() -> None:
    """Check one message and exit with 1 if it has problems."""
    if len(sys.argv) > 1:
        message = Path(sys.argv[1]).read_text(encoding="utf-8")
    elif (ROOT / ".git").exists():
        command = ["git", "log", "-1", "--no-merges", "--format=%B"]
        message = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    else:
        return
    found = problems(message)
    for problem in found:
        print(f"commit message: {problem}", file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
