"""Check that a commit message follows CONTRIBUTING.md.

    python3 scripts/check_commit_message.py [FILE]

FILE contains the message, as git passes it to a commit-msg hook. Without FILE the script checks
the last commit.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Maximum length of the subject line, characters.
_MAX_SUBJECT = 72
#: First words that are not imperative verbs: past tense, gerunds, articles and pronouns.
_NOT_IMPERATIVE = re.compile(
    r"(?i)(\w+ed|\w+ing|the|a|an|what|that|who|whether|it|more|some|read over)\b"
)
#: Verbs in the third person, except imperatives that end in "s".
_THIRD_PERSON = re.compile(
    r"(?i)(?!(focus|process|address|pass|discuss|express|access|compress)\b)\w+[^s]s\b"
)


def problems(message: str) -> list[str]:
    """Return the problems of a commit message, one sentence each.

    Comment lines are ignored. Git's own subjects (merge, revert) are never a problem.
    """
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if subject.startswith(("Merge ", "Revert ")):
        return []
    sentences = []
    if not subject:
        sentences.append("The subject is empty.")
    if len(subject) > _MAX_SUBJECT:
        sentences.append(
            f"The subject has {len(subject)} characters; at most {_MAX_SUBJECT} are allowed."
        )
    if subject.endswith("."):
        sentences.append("The subject ends with a full stop.")
    if subject and not subject[0].isupper():
        sentences.append("The subject does not begin with a capital letter.")
    if _NOT_IMPERATIVE.match(subject) or _THIRD_PERSON.match(subject):
        sentences.append(
            f"The subject begins with '{subject.split()[0]}', which is not an imperative verb."
        )
    if len(lines) > 1 and lines[1].strip():
        sentences.append("The second line is not empty.")
    return sentences


def main() -> None:
    """Check one message, print its problems and exit with 1 if there are any."""
    if len(sys.argv) > 1:
        message = Path(sys.argv[1]).read_text(encoding="utf-8")
    elif (ROOT / ".git").exists():
        command = ["git", "log", "-1", "--no-merges", "--format=%B"]
        message = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    else:
        return
    sentences = problems(message)
    for problem in sentences:
        print(f"commit message: {problem}", file=sys.stderr)
    sys.exit(bool(sentences))


if __name__ == "__main__":
    main()
