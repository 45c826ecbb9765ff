"""Spin boxes in which numbers are typed as in the rest of QGIS.

Spin boxes of Qt remove the group separators of the language from the text: in German, "0.35"
becomes 35. The spin boxes of QGIS accept the decimal sign of the language, the decimal point in
every language, and expressions such as "2 * 0.35".
"""

from __future__ import annotations

import math
from typing import Union

from qgis.core import QgsExpression
from qgis.gui import QgsDoubleSpinBox, QgsSpinBox
from qgis.PyQt.QtCore import QLocale
from qgis.PyQt.QtWidgets import QLineEdit

__all__ = ["DecimalBox", "IntegerBox", "NumberBox"]


class DecimalBox(QgsDoubleSpinBox):
    """Spin box for a number with decimal places, without a button that clears it.

    A text that is no number restores the value from before it was edited.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setShowClearButton(False)
        self._edit = _Edit(self, self.lineEdit())

    def valueFromText(self, text: str) -> float:  # noqa: N802 - Qt's name
        """Return the number that a text stands for."""
        number = _typed_number(self, text)
        return self._edit.value_before() if number is None else number


class IntegerBox(QgsSpinBox):
    """Spin box for a whole number, without a button that clears it. Other numbers are rounded.

    A text that is no number restores the value from before it was edited.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setShowClearButton(False)
        self._edit = _Edit(self, self.lineEdit())

    def valueFromText(self, text: str) -> int:  # noqa: N802 - Qt's name
        """Return the whole number that a text stands for."""
        number = _typed_number(self, text)
        if number is None:
            return int(self._edit.value_before())
        limited = min(max(number, self.minimum()), self.maximum())  # Qt's integers have 32 bits
        return math.floor(limited + 0.5)


#: Spin box of either kind.
NumberBox = Union[DecimalBox, IntegerBox]


class _Edit:
    """Edit of the text of a spin box by the user.

    Args:
        box: spin box.
        line_edit: its field for the text.
    """

    def __init__(self, box: NumberBox, line_edit: QLineEdit) -> None:
        self._box = box
        #: Value when the user began to edit the text; None while nobody edits it.
        self._value_before: float | None = None
        line_edit.textEdited.connect(self._begin)
        box.editingFinished.connect(self._end)

    def value_before(self) -> float:
        """Return the value of the spin box before the edit; its value if nobody edits it."""
        return self._box.value() if self._value_before is None else self._value_before

    def _begin(self, *_: object) -> None:
        """Store the value at the beginning of an edit."""
        if self._value_before is None:
            self._value_before = self._box.value()

    def _end(self) -> None:
        """Forget the value when the edit is finished."""
        self._value_before = None


def _typed_number(box: NumberBox, displayed: str) -> float | None:
    """Return the number that a text in a spin box stands for; None if it is no number.

    QGIS's own spin boxes return 0 for a text that is no number.
    """
    if displayed and displayed == box.specialValueText():
        return box.minimum()
    without_prefix = displayed.removeprefix(box.prefix()).strip()
    typed = without_prefix.removesuffix(box.suffix().strip()).strip()
    if not typed:
        return None
    number, is_number = QLocale().toDouble(typed)
    if not is_number:
        # As in QGIS's own boxes, a calculation can be typed.
        number = QgsExpression(typed).evaluate()
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not is_number or not math.isfinite(number):
        return None
    return number
