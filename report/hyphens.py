"""Places at which long words of a language may be broken, for narrow columns of tables.

Browsers and Qt have no hyphenation of their own for every language, but both break at soft hyphens.
"""

from __future__ import annotations

import re

from randcrowns.report.language import tr

#: Character at which a word may be broken; it is visible only there.
SOFT_HYPHEN = "\u00ad"
#: Minimum length of a word that may be broken, letters.
_MIN_WORD = 14
_LONG_WORDS = re.compile(rf"[^\W\d_]{{{_MIN_WORD},}}")
#: First parts of compound words, and their endings, by the code of the language. Both parts of a
#: broken word have at least four letters.
_JOINTS = {
    "de": re.compile(
        r"(?:ungs|heits|keits|schafts|täts|ions|tums|produzenten|nutzer|zusammen|kronen|schwellen|"
        r"treffer|vorhersage|annotatoren|standard|durch|detektoren|über|fehl|unter)"
        r"(?=[a-zäöüß]{4})",
        re.IGNORECASE,
    ),
}


def hyphenate(text: str, language: str = "") -> str:
    r"""Return a text with soft hyphens in long words.

    Args:
        text: the text.
        language: code of its language; "" for the language in use.

    >>> hyphenate("Segmentierungsqualität (SQ)", "de")
    'Segmentierungs\xadqualität (SQ)'
    >>> hyphenate("Wert", "de"), hyphenate("Segmentation quality", "en")
    ('Wert', 'Segmentation quality')
    """
    joints = _JOINTS.get((language or tr("en")).partition("_")[0])
    if joints is None:
        return text
    return _LONG_WORDS.sub(lambda word: joints.sub(rf"\g<0>{SOFT_HYPHEN}", word[0]), text)
