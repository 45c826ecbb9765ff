"""The four steps that all algorithms take: what each gets and tells, and how far the progress
is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsProcessingContext
from support.processing import Listener

from randcrowns.algorithms.algorithm_catalogue import REPORT
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults, create_progress
from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.messages import info, messages_from_json, note, warning

JOB = note("job.odd", "The job is odd.")
READ = warning("read.bad", "Layer '{layer}' is empty.", layer="a\nb")
FOUND = info("found.well", "All is well.")
MADE = note("made.cut", "{count} names were cut.", one="1 name was cut.", count=1)


class Steps(CrownAlgorithm):
    """Tells a remark in every step."""

    entry = REPORT._replace(key="steps")
    progress_shares = (0.4, 0.8)

    def read_settings(self, given):
        return SimpleNamespace(messages=[JOB])

    def title(self, taken):
        return ""

    def read_layers(self, settings, progress):
        progress(1.0)
        return SimpleNamespace(messages=[READ, JOB])

    def compute(self, settings, inputs, progress):
        progress(0.5)
        if inputs.messages == []:
            raise InputError("test.nothing_read", "Nothing was read.")
        return FOUND

    def build_results(self, settings, inputs, findings, progress):
        progress(1.0)
        return RunResults(
            {},
            {"FOUND": str(findings), "INPUT_PROBLEMS": "is the base's"},
            messages=[findings, MADE],
        )


@pytest.fixture
def ran(qgis_app):
    listener = Listener()
    listener.infos = []
    listener.pushInfo = listener.infos.append
    results, ok = Steps().create().run({}, QgsProcessingContext(), listener)
    assert ok, listener.errors
    return results, listener


def test_remarks_of_all_steps_are_told_once_and_in_their_order(ran):
    results, listener = ran
    assert messages_from_json(results["MESSAGES"]) == (JOB, READ, FOUND, MADE)
    assert listener.warnings == [str(JOB), str(READ), str(MADE)]
    assert str(FOUND) in listener.infos


def test_what_is_odd_and_what_is_wrong_is_said_in_words(ran):
    results, _ = ran
    assert results["INPUT_PROBLEMS"] == "\n".join(map(str, (JOB, READ, MADE)))
    assert results["WARNING"] == str(READ)
    assert results["FOUND"] == "All is well."


def test_every_step_has_its_share_of_the_progress(ran):
    _, listener = ran
    assert listener.percents == pytest.approx([34, 51, 85, 100])


def test_the_bar_rises_only_and_a_cancel_is_heard_whatever_is_told(qgis_app):
    listener = Listener()
    progress = create_progress(listener)
    for fraction in (0.1, 0.0, 0.3, 0.2999, 0.3001, 0.2, 0.9, 1.2, 0.5):
        progress(fraction)
    assert listener.percents == pytest.approx([10, 30, 90, 100])
    listener.cancel()
    with pytest.raises(Cancelled):
        progress(0.0)
