"""What the algorithms share: checks, the four steps of a run with their progress and remarks, outputs at the end."""

from __future__ import annotations

import math
import sqlite3
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapLayer,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterNumber,
    QgsProcessingUtils,
)
from shapely.errors import GEOSException

from randcrowns.algorithms import outputs
from randcrowns.algorithms.choice import Choice, Declaring, Given, Job
from randcrowns.algorithms.output import UNIT, Output, Value, load_in_group
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.showing import Showing
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.core.remarks import Remark, remarks_to_json
from randcrowns.layers.crs import definition_of, keep_systems, system_from
from randcrowns.layers.databases import layer_file, source_parts, wait_for
from randcrowns.layers.files.places import file_place, look_again
from randcrowns.layers.files.staged import Staged
from randcrowns.layers.garbage import GARBAGE
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import reason, sentences, tr

_LONGEST_REASON = 200
#: Share of a run that is done when everything is computed and nothing is written.
_COMPUTED = 0.85
#: Share of the writing after which all stands beside its place.
_WRITTEN = 0.96


@dataclass
class Made:
    """What a run made: all of it is written at the end, or nothing is."""

    tables: dict[Output, FeatureTable]  #: features by output.
    values: dict[str, Any] = field(default_factory=dict)  #: numbers and texts by their id.
    files: dict[Output, outputs.MadeFile] = field(
        default_factory=dict
    )  #: rasters and pictures by output.
    remarks: Sequence[Remark] = ()  #: those of the last step.
    headline: Sequence[Remark] = ()  #: the answer, in one sentence or a few.


def feedback_progress(feedback: QgsProcessingFeedback) -> Progress:
    """A progress that moves the bar and raises Cancelled when the user cancelled.

    The bar never goes back: what tells a fraction below the one before only looks whether the user cancelled.
    """
    told = -1.0

    def report(fraction: float) -> None:
        nonlocal told
        # The dock stops a run without QGIS knowing, which would tell of a task that failed.
        if feedback.isCanceled() or getattr(feedback, "stopped", False):
            raise Cancelled("Cancelled.")
        if fraction - told >= 0.002:
            told = min(fraction, 1.0)
            feedback.setProgress(100 * told)

    return report


#: What is said of errors that no sentence of ours stands for; the first that fits.
_SENTENCES: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    (
        (sqlite3.Error,),
        "A file cannot be read or written: its database is damaged or in use, or its disk is full. Choose another.",
    ),
    (
        (OSError,),
        "A file cannot be read or written ({why}); check the disk's space and rights, or choose another place.",
    ),
    (
        (GEOSException,),
        "An outline cannot be worked on ({why}); run 'Check validity' and 'Fix geometries' on the layers.",
    ),
    (
        (MemoryError,),
        "The memory does not suffice; take a smaller area, fewer layers or a coarser pixel size.",
    ),
    (
        (Exception,),
        "Something went wrong that should not have ({kind}: {why}). Nothing was written; please report it with the "
        "details in the log.",
    ),
)


@contextmanager
def _told(feedback: QgsProcessingFeedback) -> Iterator[None]:
    """What goes wrong within is told as a sentence, with the details in the log."""
    try:
        yield
    except (Cancelled, QgsProcessingException):
        raise
    except RandCrownsError as error:
        raise QgsProcessingException(reason(error)) from error
    except Exception as error:
        feedback.pushDebugInfo(traceback.format_exc())
        said = next(tr(said) for kinds, said in _SENTENCES if isinstance(error, kinds))
        why = str(error)[:_LONGEST_REASON]
        raise QgsProcessingException(said.format(kind=type(error).__name__, why=why)) from error


_REMARK_VALUES = (
    Value("REMARKS", tr("All remarks (JSON)"), text=True),
    Value("REPORT", tr("What was odd about the input"), text=True),
    Value("WARNING", tr("What makes the results useless or doubtful, if anything"), text=True),
)


class _Remarks:
    """The remarks of a run, each once; the log gets them as they come."""

    def __init__(self, feedback: QgsProcessingFeedback) -> None:
        self._feedback = feedback
        self._made: dict[Remark, None] = {}

    def add(self, remarks: Iterable[Remark]) -> None:
        """Keep and log those that are new."""
        for remark in remarks:
            if remark not in self._made:
                self._made[remark] = None
                (self._feedback.pushWarning if remark.is_odd else self._feedback.pushInfo)(
                    remark.sentence(tr)
                )

    def values(self) -> dict[str, str]:
        """REMARKS holds all of them; REPORT says in lines what was odd, WARNING in a row what is wrong."""
        odd = [remark for remark in self._made if remark.is_odd]
        return {
            "REMARKS": remarks_to_json(self._made),
            "REPORT": "\n".join(sentences(odd)),
            "WARNING": " ".join(sentences(remark for remark in odd if remark.is_warning)),
        }


class CrownAlgorithm(Declaring):
    """An algorithm in four steps, each of which takes what the steps before it returned.

    :meth:`take` makes plain values and snapshots on the main thread; then, in the background, :meth:`read` makes crowns
    of the snapshots, :meth:`compute` asks core, and :meth:`tables` makes what is written at the very end. The values
    may have ``remarks``.
    """

    #: Shares of the progress at which reading and computing end; the tables end at 1.
    shares = (0.15, 0.9)
    #: Paragraphs: texts, and choices, which say their own.
    help: tuple[str | Choice[Any], ...] = ()
    #: Numbers and texts beside them.
    values: tuple[Value, ...] = ()
    #: The layers that a run is about, and the choices that tell runs with the same layers apart: its title.
    parties: tuple[Choice[Any], ...] = ()
    told_apart_by: tuple[Choice[Any], ...] = ()
    #: Called with the dialog in which Processing shows the algorithm.
    look_after: Callable[[Any], object] | None = None
    #: Whether Processing's dialog shows every output as it is: then without those that are JSON.
    in_dialog = False
    #: What a report shows of its runs.
    showing = Showing()

    def __init__(self) -> None:
        super().__init__()
        self._taken: Any = None
        self._pictures: dict[Output, Path] = {}
        #: How the run was made; its title is the name of the group that the outputs are loaded into.
        self.record = Record("", ())
        self._written: dict[str, Any] = {}
        self._in_pixels = False

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        told = (*self.help, tr("Nothing is written when the run is cancelled or fails."))
        return "".join(f"<p>{getattr(text, 'paragraph', text)}</p>" for text in told)

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        made = type(self)()
        made.in_dialog = self.in_dialog
        return made

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare the choices and the outputs."""
        for choice in self.choices:
            for definition in choice.definitions():
                self.addParameter(definition)
        for output in self.outputs:
            self.addParameter(output.definition())
        for value in (*self.values, *_REMARK_VALUES, RECORD):
            self.addOutput(value.definition())

    def createCustomParametersWidget(self, parent: Any = None) -> Any:  # noqa: N802 - QGIS's name
        """Processing's own dialog, with what looks after windows of ours; where nothing does, Processing makes it."""
        if self.look_after is None:
            return None
        from processing.gui.AlgorithmDialog import AlgorithmDialog  # where there is a window only

        self.in_dialog = True
        dialog = AlgorithmDialog(self, False, parent)
        self.look_after(dialog)
        return dialog

    def take(self, given: Given) -> Any:
        """Everything the run needs, as plain values and snapshots; called on the main thread."""
        return Job.of(given)

    def read(self, job: Any, progress: Progress) -> Any:
        """The crowns of the snapshots, in metres."""
        raise NotImplementedError

    def compute(self, job: Any, read: Any, progress: Progress) -> Any:
        """What core finds."""
        raise NotImplementedError

    def tables(self, job: Any, read: Any, found: Any, progress: Progress) -> Made:
        """What is written."""
        raise NotImplementedError

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Have an output that is going to be loaded styled, in one group per run."""
        load_in_group(
            details, self.outputs, output, self.record.title, others, self.record.describe
        )

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> bool:
        """Take the snapshots; what is wrong is told as a sentence."""
        with _told(feedback):
            given = Given(self, parameters, context)
            self._check_places(given)  # a model does not check the values first
            self._pictures = outputs.pictures_asked_for(given)
            for layer in given.inputs():
                wait_for(layer_file(layer))
            self._taken = self.take(given)
            self.record = Record.of(given, self.parties, self.told_apart_by)
        return True

    def check_early(self, given: Given) -> None:
        """Refuse what is better said before QGIS looks, whose own sentences are about types."""

    def check(self, given: Given) -> None:
        """Refuse what cannot work, once numbers and types are right."""

    def first_problem(self, given: Given) -> str:
        """What :meth:`check` says is wrong; empty when nothing is."""
        try:
            self.check(given)
        except RandCrownsError as error:
            return reason(error)
        return ""

    def checkParameterValues(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """Refuse what cannot work with a sentence, before anything is computed."""
        given = Given(self, parameters, context)
        try:
            self.check_early(given)
            outputs.check_files(given)
            self._check_numbers(given)
            fits, why = super().checkParameterValues(parameters, context)
            if fits:
                self.check(given)
                self._check_places(given)
        except RandCrownsError as error:
            return False, reason(error)
        return fits, why

    @GARBAGE.left_to_main_thread()
    def processAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        """Compute, then write; nothing is written by a run that is cancelled or fails."""
        progress, remarks, given = (
            feedback_progress(feedback),
            _Remarks(feedback),
            Given(self, parameters, context),
        )
        try:
            with _told(feedback):
                made = self._steps(remarks, part_of(progress, 0.0, _COMPUTED))
                remarks.add(outputs.fit_names(made.tables, given))
                remarks.add(outputs.broken_off([*made.tables, *made.files], given))
                remarks.add(outputs.folders_told(made.files, given, self._kind_of(given)))
                values = {**made.values, **remarks.values()}
                rows = {
                    output.id: len(table)
                    for output, table in made.tables.items()
                    if output in given
                }
                self.record = self.record.with_results(
                    made.headline, values, self._files(made, given), rows
                )
                values[RECORD.id] = self.record.to_json()
                self._written = self._write(made, values, given, part_of(progress, _COMPUTED, 1.0))
                if self.record.answer:
                    feedback.pushInfo(self.record.answer)
        except Cancelled:
            feedback.pushInfo(tr("Cancelled; nothing was written."))
            return {}
        json = {RECORD.id, _REMARK_VALUES[0].id} if self.in_dialog else set()
        return {
            **self._written,
            **{name: value for name, value in values.items() if name not in json},
        }

    def postProcessAlgorithm(  # noqa: N802 - QGIS's name
        self, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Say in the metadata of the layers in memory how they were made, and have their systems outlive the worker."""
        files = {Path(str(place).partition("|")[0]) for place in self._written.values()}
        look_again(
            () if context.project() is None else context.project().mapLayers().values(), files
        )
        opened = {
            output: QgsProcessingUtils.mapLayerFromString(str(place), context, False)
            for output, place in self._written.items()
        }
        layers = {output: layer for output, layer in opened.items() if layer is not None}
        keep_systems(layers.values())
        for layer in layers.values() if self._in_pixels else ():
            layer.setCrs(QgsCoordinateReferenceSystem())  # in memory no system is another than none
        for output, layer in layers.items():
            self.record.describe(layer, output)
        return {}

    def _files(self, made: Made, given: Given) -> dict[str, str]:
        """Places of rasters, pictures and folders that are wanted, but for temporary ones."""
        places = {
            output.id: file_place(outputs.destination_of(given, output))
            for output in made.files
            if output in given
        }
        return {name: str(place.file) for name, place in places.items() if place is not None}

    def _steps(self, remarks: _Remarks, progress: Progress) -> Made:
        job, (read_at, computed_at) = self._taken, self.shares
        remarks.add(getattr(job, "remarks", ()))
        read = self.read(job, part_of(progress, 0.0, read_at))
        remarks.add(getattr(read, "remarks", ()))
        found = aside(
            lambda told: self.compute(job, read, told), part_of(progress, read_at, computed_at)
        )
        remarks.add(getattr(found, "remarks", ()))

        def tabulate(told: Progress) -> tuple[Made, list[str]]:
            made = self.tables(job, read, found, told)
            return made, [definition_of(table.crs) for table in made.tables.values()]

        made, systems = aside(tabulate, part_of(progress, computed_at, 1.0))
        for table, system in zip(made.tables.values(), systems):
            table.crs = system_from(system)
        remarks.add(made.remarks)
        self._in_pixels = made.values.get(UNIT.id, "m") != "m"
        for output, table in made.tables.items():
            if self._in_pixels:
                output.label_fields(table, made.values[UNIT.id])
            if output.summary:
                self.record.add_to(table)
        progress(1.0)
        return made

    def asked_for(self, output: Output) -> str:
        """The kind of a picture that is asked for (png or svg); empty when it is not wanted."""
        return self._pictures[output].suffix.lower().strip(".") if output in self._pictures else ""

    def _kind_of(self, given: Given) -> str:
        """What tells exports into one folder apart."""
        return " ".join([self.name(), *(str(given[choice]) for choice in self.told_apart_by)])

    def _check_places(self, given: Given) -> None:
        inputs = given.inputs()
        for layer in inputs:
            _name_after_table(layer, given.context)
        outputs.check_places(given, inputs, self._kind_of(given))

    def _check_numbers(self, given: Given) -> None:
        for definition in self.parameterDefinitions():
            name = definition.name()
            if isinstance(definition, QgsProcessingParameterNumber) and given.has(name):
                _check_number(
                    definition, self.parameterAsDouble(given.parameters, name, given.context)
                )

    def _write(
        self, made: Made, others: dict[str, Any], given: Given, progress: Progress
    ) -> dict[str, Any]:
        context = given.context
        before = dict(context.layersToLoadOnCompletion())
        files, tables = (
            part_of(progress, 0.0, 0.5),
            part_of(progress, 0.5 if made.files else 0.0, _WRITTEN),
        )
        with Staged(lambda: progress(0.0)) as staged:
            try:
                places = outputs.make_files(given, made.files, staged, files, self._kind_of(given))
                written = outputs.write_tables(given, made.tables, tables, staged, self.record.keep)
                staged.move()
            except BaseException:
                context.setLayersToLoadOnCompletion(before)
                raise
        written |= places
        for name, place in written.items():
            if context.willLoadLayerOnCompletion(place):
                self.loaded(name, context.layerToLoadOnCompletionDetails(place), others)
        with suppress(Cancelled):  # too late
            progress(1.0)
        return dict(written)


def _name_after_table(layer: QgsMapLayer, context: QgsProcessingContext) -> None:
    """Name a layer that was given as ``file|layername=table`` after the table: many share one file."""
    parts = source_parts(layer)
    table, path = parts.get("layerName"), parts.get("path")
    loaded_here = context.temporaryLayerStore().mapLayer(layer.id()) is not None
    if table and path and loaded_here and layer.name() == Path(path).stem:
        layer.setName(table)


def _check_number(definition: QgsProcessingParameterNumber, value: float) -> None:
    """Refuse a number that will not do; QGIS itself lets some through that are none, or changes them silently."""
    name, least, most = definition.description(), definition.minimum(), definition.maximum()
    if not math.isfinite(value):
        raise InputError("'{name}' must be a number, but it is {value}.", name=name, value=value)
    if value < least:
        raise InputError(
            "'{name}' must be at least {least:g}, but it is {value:g}.",
            name=name,
            least=least,
            value=value,
        )
    if value > most:
        raise InputError(
            "'{name}' must be at most {most:g}, but it is {value:g}.",
            name=name,
            most=most,
            value=value,
        )
    whole = definition.dataType() == QgsProcessingParameterNumber.Type.Integer
    if whole and (value != round(value) or not -(2**31) <= value < 2**31):
        said = "'{name}' must be a whole number of at most nine digits, but it is {value:g}."
        raise InputError(said, name=name, value=value)
