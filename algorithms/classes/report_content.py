"""Parts of a report about the classes and strata of a run."""

from __future__ import annotations

from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS, STRATA, STRATA_TESTS
from randcrowns.algorithms.classes.parameters import STRATA_FIELD, SUMMARISE_BY
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.classes.summarise import SummariseBy
from randcrowns.report.class_content import class_parts, strata_parts, unit_of_strata
from randcrowns.report.content import Part


def class_and_strata_parts(run: RunOutputs) -> list[Part]:
    """Return the parts of a report about the classes and strata of a run.

    Args:
        run: outputs of the run.
    """
    class_tables = [run.table(output) for output in CLASS_OUTPUTS[:3]]
    parts = class_parts(*class_tables)
    property_name = run.display_text_of(SUMMARISE_BY.name)
    key_of_label = {SUMMARISE_BY.label_of(by.value): by.value for by in SummariseBy}
    key = key_of_label.get(property_name, "")
    if key == SummariseBy.ATTRIBUTE.value:
        property_name = run.display_text_of(STRATA_FIELD.name)
    unit = unit_of_strata(key, length_unit(run.record.results))
    parts += strata_parts(run.table(STRATA), run.table(STRATA_TESTS), property_name, unit)
    return parts
