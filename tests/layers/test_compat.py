"""What differs between versions of QGIS; that of the machine is tried wherever it is used."""

from __future__ import annotations

import datetime

import pytest
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime, QVariant

from randcrowns.layers.compat import plain_value, save_style


def test_newer_versions_say_beside_a_code_why_a_style_was_not_saved():
    class Newer:
        def saveStyleToDatabaseV2(self, *_):  # noqa: N802 - QGIS's name, from 3.44.15 on
            return 1, "The database is full."

    assert save_style(Newer(), "ours") == "The database is full."


#: 10:30 on 1 May 2024.
_TIME = (QDate(2024, 5, 1), QTime(10, 30, 0))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (QDate(2024, 5, 1), datetime.date(2024, 5, 1)),
        (QTime(10, 30, 0, 250), datetime.time(10, 30, 0, 250_000)),
        (QDateTime(*_TIME), datetime.datetime(2024, 5, 1, 10, 30)),
        (
            QDateTime(*_TIME, Qt.TimeSpec.UTC),
            datetime.datetime(2024, 5, 1, 10, 30),
        ),
        (
            QDateTime(*_TIME, Qt.TimeSpec.OffsetFromUTC, 7200),
            datetime.datetime(2024, 5, 1, 10, 30),
        ),
        (QDate(), None),
        (QDate(-44, 3, 15), None),
        (QVariant(), None),
        ("oak", "oak"),
        (3, 3),
    ],
)
def test_times_of_attributes_are_those_of_python(value, expected):
    assert plain_value(value) == expected
