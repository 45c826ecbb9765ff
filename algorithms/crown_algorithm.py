"""Base class of the algorithms: input checks, the four steps of a run, messages and outputs."""

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

from randcrowns.algorithms import destinations
from randcrowns.algorithms.output_types import UNIT, Output, ValueOutput, style_when_loaded
from randcrowns.algorithms.parameter_types import (
    Parameter,
    ParameterizedAlgorithm,
    RunParameters,
    RunSettings,
)
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.algorithms.report_content import ReportContent
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.messages import Message, info, merge_layer_messages, messages_to_json
from randcrowns.core.old_names import OUTPUTS, PARAMETERS
from randcrowns.core.progress import Progress, run_in_thread, subprogress
from randcrowns.layers.crs import crs_definition_text, crs_from_definition, restore_layer_crs
from randcrowns.layers.databases import layer_file, source_parts, wait_for_unlock
from randcrowns.layers.files.destinations import file_destination, reload_layers
from randcrowns.layers.files.staging import StagedFiles
from randcrowns.layers.garbage_collection import GARBAGE_COLLECTOR
from randcrowns.layers.local_files import file_of_source
from randcrowns.layers.localization import error_message, message_texts, tr
from randcrowns.layers.public_sources import public_name
from randcrowns.layers.vector.tables import FeatureTable

#: Maximum number of characters of an exception's text in a message.
_MAX_REASON_LENGTH = 200
#: Smallest increase of the progress that is reported to QGIS.
_PROGRESS_STEP = 0.002
#: Fraction of a run that is done when everything is computed and nothing is written.
_COMPUTED = 0.85
#: Fraction of the writing that is done when all tables are written to temporary files.
_STAGED = 0.96


@dataclass
class RunResults:
    """Results of a run, which are written together at the end."""

    tables: dict[Output, FeatureTable]  #: features by output.
    values: dict[str, Any] = field(default_factory=dict)  #: numbers and texts by output id.
    #: Rasters, pictures and folders by output.
    files: dict[Output, destinations.FileContent] = field(default_factory=dict)
    messages: Sequence[Message] = ()  #: messages of the last step.
    headline: Sequence[Message] = ()  #: conclusion of the run, in one or a few sentences.


def create_progress(feedback: QgsProcessingFeedback) -> Progress:
    """Return a progress callback that moves the progress bar of a run.

    The callback raises Cancelled if the user has cancelled the run. The bar never moves back: a
    fraction below the last one only checks for cancellation.

    Args:
        feedback: feedback of the run. The dock sets its attribute ``stopped`` to end a run without
            QGIS reporting a failed task.
    """
    reported = -1.0

    def report_progress(fraction: float) -> None:
        nonlocal reported
        if feedback.isCanceled() or getattr(feedback, "stopped", False):
            raise Cancelled("run.cancelled", "Cancelled.")
        if fraction - reported >= _PROGRESS_STEP:
            reported = min(fraction, 1.0)
            feedback.setProgress(100 * reported)

    return report_progress


#: Messages for exceptions of other libraries; the first type that fits is used.
_ERROR_MESSAGES: tuple[tuple[type[Exception], str], ...] = (
    (
        sqlite3.Error,
        "A file cannot be read or written: its database is damaged or in use, or its disk is full. "
        "Choose another file.",
    ),
    (
        OSError,
        "A file cannot be read or written ({why}). Check free space and permissions, or choose "
        "another folder.",
    ),
    (
        GEOSException,
        "An outline cannot be processed ({why}). Run 'Check validity' and 'Fix geometries' on the "
        "layers.",
    ),
    (
        MemoryError,
        "There is not enough memory. Use a smaller area, fewer layers or a larger pixel size.",
    ),
    (
        Exception,
        "Unexpected error ({kind}: {why}). Nothing was written. Please report it with the details "
        "in the log.",
    ),
)


@contextmanager
def _report_errors(feedback: QgsProcessingFeedback) -> Iterator[None]:
    """Convert exceptions to a QgsProcessingException with a user message; log the traceback.

    Cancelled and QgsProcessingException pass unchanged.
    """
    try:
        yield
    except (Cancelled, QgsProcessingException):
        raise
    except RandCrownsError as error:
        raise QgsProcessingException(error_message(error)) from error
    except Exception as error:
        feedback.pushDebugInfo(traceback.format_exc())
        template = next(tr(text) for kind, text in _ERROR_MESSAGES if isinstance(error, kind))
        details = str(error)[:_MAX_REASON_LENGTH]
        raise QgsProcessingException(
            template.format(kind=type(error).__name__, why=details)
        ) from error


_ALL_MESSAGES = ValueOutput("MESSAGES", tr("All messages (JSON)"), is_text=True)
_MESSAGE_VALUES = (
    _ALL_MESSAGES,
    ValueOutput("INPUT_PROBLEMS", tr("Input problems"), is_text=True),
    ValueOutput("WARNING", tr("Warnings about the results"), is_text=True),
)


class _MessageLog:
    """Messages of a run, each once; new ones are written to the log of the run at once.

    Args:
        feedback: feedback of the run, which shows the log.
    """

    def __init__(self, feedback: QgsProcessingFeedback) -> None:
        self._feedback = feedback
        #: Keys of a dictionary, which keeps their order.
        self._messages: dict[Message, None] = {}

    def add(self, messages: Iterable[Message]) -> None:
        """Store and log the messages that are new."""
        new_messages = [message for message in messages if message not in self._messages]
        self._messages.update(dict.fromkeys(new_messages))
        for message in merge_layer_messages(new_messages):
            sentence = message.sentence(tr)
            if message.is_notice:
                self._feedback.pushWarning(sentence)
            else:
                self._feedback.pushInfo(sentence)

    def values(self) -> dict[str, str]:
        """Return the outputs with the messages, by id.

        MESSAGES holds all messages as JSON, REPORT those about problems (one per line) and WARNING
        the warnings among them (in one line).
        """
        messages = merge_layer_messages(self._messages)
        notices = [message for message in messages if message.is_notice]
        warnings = [message for message in notices if message.is_warning]
        return {
            "MESSAGES": messages_to_json(messages),
            "INPUT_PROBLEMS": "\n".join(message_texts(notices)),
            "WARNING": " ".join(message_texts(warnings)),
        }


class CrownAlgorithm(ParameterizedAlgorithm):
    """Algorithm that runs in four steps, each of which receives the results of the earlier ones.

    :meth:`read_settings` returns plain values and layer snapshots on the main thread. Then, in the
    background, :meth:`read_layers` reads crowns from the snapshots, :meth:`compute` calls the
    core, and :meth:`build_results` returns the outputs, which are written at the very end. The
    results of the steps may have an attribute ``messages`` with messages.
    """

    #: Fractions of the progress at which reading and computing end; making the outputs ends at 1.
    progress_shares = (0.15, 0.9)
    #: Paragraphs of the help: texts, and parameters whose own help is shown.
    help: tuple[str | Parameter[Any], ...] = ()
    #: Outputs that are numbers or texts.
    value_outputs: tuple[ValueOutput, ...] = ()
    #: Parameters with the layers that the title of a run names.
    title_layers: tuple[Parameter[Any], ...] = ()
    #: Parameters that the title names too, as they distinguish runs with the same layers.
    title_parameters: tuple[Parameter[Any], ...] = ()
    #: Function that is called with the Processing dialog of the algorithm.
    on_dialog: Callable[[Any], object] | None = None
    #: True if a Processing dialog, which prints every output, shows the run. Its outputs then
    #: contain no JSON.
    is_in_dialog = False
    #: Content of a report on a run.
    report_content = ReportContent()

    def __init__(self) -> None:
        super().__init__()
        self._settings: Any = None
        #: Requested pictures and their files.
        self._pictures: dict[Output, Path] = {}
        #: Provenance of the run; its title is the name of the group that the outputs are loaded to.
        self.provenance = Provenance("", ())
        #: Sources of the written outputs, by id.
        self._written: dict[str, Any] = {}
        self._in_pixels = False

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """Return the help of the algorithm as HTML."""
        texts = (*self.help, tr("Nothing is written when the run is cancelled or fails."))
        return "".join(f"<p>{getattr(text, 'help_paragraph', text)}</p>" for text in texts)

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        """Return a new algorithm of the same class."""
        algorithm = type(self)()
        algorithm.is_in_dialog = self.is_in_dialog
        return algorithm

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare the parameters and the outputs."""
        for parameter in self.declared_parameters:
            for definition in parameter.create_definitions():
                self.addParameter(definition)
        for output in self.outputs:
            self.addParameter(output.create_definition())
        for value in (*self.value_outputs, *_MESSAGE_VALUES, PROVENANCE):
            self.addOutput(value.create_definition())

    def createCustomParametersWidget(self, parent: Any = None) -> Any:  # noqa: N802 - QGIS's name
        """Return Processing's own dialog after passing it to :attr:`on_dialog`.

        Without such a function the result is None, and Processing creates its dialog itself.
        """
        if self.on_dialog is None:
            return None
        from processing.gui.AlgorithmDialog import AlgorithmDialog  # requires a window system

        self.is_in_dialog = True
        dialog = AlgorithmDialog(self, False, parent)
        self.on_dialog(dialog)
        return dialog

    def read_settings(self, run_parameters: RunParameters) -> Any:
        """Return the settings of the run as plain values and layer snapshots.

        Called on the main thread.
        """
        return RunSettings.from_parameters(run_parameters)

    def read_layers(self, settings: Any, progress: Progress) -> Any:
        """Return the crowns of the layer snapshots, in metres.

        Args:
            settings: what :meth:`read_settings` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def compute(self, settings: Any, inputs: Any, progress: Progress) -> Any:
        """Return the results of the core.

        Args:
            settings: what :meth:`read_settings` returned.
            inputs: what :meth:`read_layers` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def build_results(
        self, settings: Any, inputs: Any, findings: Any, progress: Progress
    ) -> RunResults:
        """Return the outputs to write.

        Args:
            settings: what :meth:`read_settings` returned.
            inputs: what :meth:`read_layers` returned.
            findings: what :meth:`compute` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def results_to_keep(self, settings: Any, inputs: Any, findings: Any) -> Any:
        """Return what a page of the dock continues with after the run; None for nothing.

        It stays in memory as long as the page shows the run.

        Args:
            settings: what :meth:`read_settings` returned.
            inputs: what :meth:`read_layers` returned.
            findings: what :meth:`compute` returned.
        """
        return None

    def style_when_loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Register that an output is styled and moved to the group of its run when it is loaded.

        Args:
            output: id of the output.
            details: how QGIS will load the layer; its post-processor is set.
            others: outputs of the run that are numbers or texts, by id.
        """
        style_when_loaded(
            details,
            self.outputs,
            output,
            self.provenance.title,
            others,
            self.provenance.write_to_layer,
        )

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> bool:
        """Take the layer snapshots on the main thread and start the provenance of the run.

        Raises:
            QgsProcessingException: if an input or an output cannot be used.
        """
        with _report_errors(feedback):
            run_parameters = RunParameters(self, parameters, context)
            self._check_destinations(run_parameters)  # a model does not check the values first
            self._pictures = destinations.requested_pictures(run_parameters)
            for layer in run_parameters.input_layers():
                wait_for_unlock(layer_file(layer))
            self._settings = self.read_settings(run_parameters)
            self.provenance = Provenance.start(
                run_parameters, self.title_layers, self.title_parameters
            )
        return True

    def validate_early(self, run_parameters: RunParameters) -> None:
        """Raise an InputError for what needs a better message than QGIS's own about types.

        Called before QGIS checks the values.
        """

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError for values that cannot be used.

        Called when the numbers and types are valid.
        """

    def find_problem(self, run_parameters: RunParameters) -> str:
        """Return the message of the error that :meth:`validate` raises, or "" if it raises none."""
        try:
            self.validate(run_parameters)
        except RandCrownsError as error:
            return error_message(error)
        return ""

    def checkParameterValues(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """Return whether the algorithm can run with the parameters, and the reason if it cannot."""
        run_parameters = RunParameters(self, parameters, context)
        try:
            run_parameters.check_formats()
            self.validate_early(run_parameters)
            destinations.check_file_outputs(run_parameters)
            self._check_numbers(run_parameters)
            is_valid, problem = super().checkParameterValues(run_parameters.raw_values, context)
            if not is_valid:
                run_parameters.check_files()  # its errors say more than QGIS's own
                return is_valid, problem
            self.validate(run_parameters)
            self._check_destinations(run_parameters)
        except RandCrownsError as error:
            return False, error_message(error)
        return is_valid, problem

    @GARBAGE_COLLECTOR.defer_to_main_thread()
    def processAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        """Compute the results, then write them; return the outputs by id.

        A run that is cancelled or fails writes nothing; a cancelled run returns no outputs.

        Raises:
            QgsProcessingException: if the run fails.
        """
        progress = create_progress(feedback)
        messages = _MessageLog(feedback)
        run_parameters = RunParameters(self, parameters, context)
        messages.add(_old_id_messages(parameters))
        try:
            with _report_errors(feedback):
                results = self._run_steps(messages, subprogress(progress, 0.0, _COMPUTED), feedback)
                self._prepare_destinations(results, run_parameters, messages)
                values = {**results.values, **messages.values()}
                self.provenance = self.provenance.with_results(
                    results.headline,
                    values,
                    _list_stored_files(results, run_parameters),
                    _count_rows(results, run_parameters),
                )
                values[PROVENANCE.id] = self.provenance.to_json()
                self._written = self._write(
                    results, values, run_parameters, subprogress(progress, _COMPUTED, 1.0)
                )
                if self.provenance.conclusion:
                    feedback.pushInfo(self.provenance.conclusion)
        except Cancelled:
            feedback.pushInfo(tr("Cancelled; nothing was written."))
            return {}

        # The dialog lists all outputs in its log, where JSON texts would hide the other values.
        hidden_ids = {PROVENANCE.id, _ALL_MESSAGES.id} if self.is_in_dialog else set()
        listed_values = {name: value for name, value in values.items() if name not in hidden_ids}
        return {**self._written, **listed_values}

    def _prepare_destinations(
        self, results: RunResults, run_parameters: RunParameters, messages: _MessageLog
    ) -> None:
        """Fit field names to the formats and recover files that interrupted runs left incomplete.

        Args:
            results: results of the run; fields of its tables may be renamed.
            run_parameters: parameters of the run.
            messages: log to which messages about the destinations are added.
        """
        export_kind = self._export_kind(run_parameters)
        messages.add(destinations.fit_field_names(results.tables, run_parameters))
        outputs_to_write = [*results.tables, *results.files]
        messages.add(destinations.recover_interrupted_runs(outputs_to_write, run_parameters))
        messages.add(destinations.folder_messages(results.files, run_parameters, export_kind))

    def postProcessAlgorithm(  # noqa: N802 - QGIS's name
        self, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Reload changed files and describe the outputs on the main thread; return no outputs.

        The provenance is written to the metadata of the layers in memory. Their coordinate
        reference systems, which belong to the worker thread, are created again.
        """
        written_files = {file_of_source(str(source)) for source in self._written.values()}
        project = context.project()
        project_layers = [] if project is None else list(project.mapLayers().values())
        reload_layers(project_layers, written_files)
        layers = {}
        for output, source in self._written.items():
            layer = QgsProcessingUtils.mapLayerFromString(str(source), context, False)
            if layer is not None:
                layers[output] = layer
        restore_layer_crs(layers.values())
        for output, layer in layers.items():
            if self._in_pixels:
                # QGIS replaces a missing CRS of layers in memory by its own "undefined" one.
                layer.setCrs(QgsCoordinateReferenceSystem())
            self.provenance.write_to_layer(layer, output)
        return {}

    def _run_steps(
        self, messages: _MessageLog, progress: Progress, feedback: QgsProcessingFeedback
    ) -> RunResults:
        """Read the layers, compute, and return the results that are to be written.

        Args:
            messages: log to which the messages of all steps are added.
            progress: called with the fraction done.
            feedback: feedback of the run. The dock's has an attribute ``kept_results``, which is
                set to :meth:`results_to_keep`.
        """
        settings = self._settings
        read_end, computed_end = self.progress_shares
        messages.add(getattr(settings, "messages", ()))
        inputs = self.read_layers(settings, subprogress(progress, 0.0, read_end))
        messages.add(getattr(inputs, "messages", ()))
        findings = run_in_thread(
            lambda share: self.compute(settings, inputs, share),
            subprogress(progress, read_end, computed_end),
        )
        messages.add(getattr(findings, "messages", ()))
        if hasattr(feedback, "kept_results"):
            feedback.kept_results = self.results_to_keep(settings, inputs, findings)

        def make_outputs(share: Progress) -> tuple[RunResults, list[str]]:
            """Return the results and the definition of each table's CRS."""
            results = self.build_results(settings, inputs, findings, share)
            crs_texts = [crs_definition_text(table.crs) for table in results.tables.values()]
            return results, crs_texts

        results, crs_definitions = run_in_thread(
            make_outputs, subprogress(progress, computed_end, 1.0)
        )
        # A CRS belongs to the thread that created it, so this thread creates its own.
        for table, definition in zip(results.tables.values(), crs_definitions):
            table.crs = crs_from_definition(definition)
        messages.add(results.messages)
        self._in_pixels = results.values.get(UNIT.id, "m") != "m"
        for output, table in results.tables.items():
            if self._in_pixels:
                output.set_unit_in_aliases(table, results.values[UNIT.id])
            if output.has_provenance_columns:
                self.provenance.add_columns_to(table)
        progress(1.0)
        return results

    def picture_format(self, output: Output) -> str:
        """Return the format of a requested picture (png or svg), or "" if it is not requested."""
        if output not in self._pictures:
            return ""
        return self._pictures[output].suffix.lower().strip(".")

    def _export_kind(self, run_parameters: RunParameters) -> str:
        """Return the key of an export, by which those into the same folder are distinguished."""
        return " ".join(
            [self.name(), *(str(run_parameters[parameter]) for parameter in self.title_parameters)]
        )

    def _check_destinations(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if an output would overwrite an input or another output.

        Input layers from a file of several tables are renamed after their table, and those with a
        name from a secret part of their source after their provider.
        """
        inputs = run_parameters.input_layers()
        for layer in inputs:
            _name_after_table(layer, run_parameters.context)
        destinations.check_destinations(run_parameters, inputs, self._export_kind(run_parameters))

    def _check_numbers(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if a number is not finite, outside its limits or not whole."""
        for definition in self.parameterDefinitions():
            name = definition.name()
            if isinstance(definition, QgsProcessingParameterNumber) and run_parameters.has(name):
                value = self.parameterAsDouble(
                    run_parameters.raw_values, name, run_parameters.context
                )
                _check_number(definition, value)

    def _write(
        self,
        results: RunResults,
        values: dict[str, Any],
        run_parameters: RunParameters,
        progress: Progress,
    ) -> dict[str, Any]:
        """Write the requested tables and files, all or none; return their sources by output id.

        Args:
            results: results of the run.
            values: outputs that are numbers or texts, by id.
            run_parameters: parameters of the run.
            progress: called with the fraction written.
        """
        context = run_parameters.context
        layers_before = dict(context.layersToLoadOnCompletion())
        files_progress = subprogress(progress, 0.0, 0.5)
        tables_progress = subprogress(progress, 0.5 if results.files else 0.0, _STAGED)
        with StagedFiles(lambda: progress(0.0), self.provenance.id) as staged:
            try:
                file_sources = destinations.write_files(
                    run_parameters,
                    results.files,
                    staged,
                    files_progress,
                    self._export_kind(run_parameters),
                )
                written = destinations.write_tables(
                    run_parameters,
                    results.tables,
                    tables_progress,
                    staged,
                    self.provenance.write_to_geopackage,
                )
                staged.publish()
            except BaseException:
                context.setLayersToLoadOnCompletion(layers_before)
                raise
        written |= file_sources
        for output_id, source in written.items():
            if context.willLoadLayerOnCompletion(source):
                details = context.layerToLoadOnCompletionDetails(source)
                self.style_when_loaded(output_id, details, values)
        with suppress(Cancelled):  # everything is written, so it is too late to cancel
            progress(1.0)
        return dict(written)


def _old_id_messages(parameters: Iterable[str]) -> list[Message]:
    """Return a message for each old id among the parameters of a run, which is accepted."""
    new_ids = {**OUTPUTS, **PARAMETERS}
    return [
        info(
            "parameters.old_id",
            "Parameter '{old}' has a new name: use '{new}'.",
            old=old_id,
            new=new_ids[old_id],
        )
        for old_id in parameters
        if old_id in new_ids
    ]


def _list_stored_files(results: RunResults, run_parameters: RunParameters) -> dict[str, str]:
    """Return the paths of requested rasters, pictures and folders by output id.

    Temporary files are not among them.
    """
    paths = {}
    for output in results.files:
        if output not in run_parameters:
            continue
        path = destinations.output_destination(run_parameters, output)
        destination = file_destination(path)
        if destination is not None:
            paths[output.id] = str(destination.file)
    return paths


def _count_rows(results: RunResults, run_parameters: RunParameters) -> dict[str, int]:
    """Return the number of rows of each requested table by output id."""
    return {
        output.id: len(table)
        for output, table in results.tables.items()
        if output in run_parameters
    }


def _name_after_table(layer: QgsMapLayer, context: QgsProcessingContext) -> None:
    """Rename a layer that Processing opened from ``file|layername=table`` after the table.

    QGIS names it after the file, which many layers can share, or after the end of an address, which
    may contain a secret. Layers of a project keep their name.
    """
    if context.temporaryLayerStore().mapLayer(layer.id()) is None:
        return
    parts = source_parts(layer)
    table = parts.get("layerName")
    path = parts.get("path")
    if table and path and layer.name() == Path(path).stem:
        layer.setName(table)
    elif public_name(layer) != layer.name():
        layer.setName(public_name(layer))


def _check_number(definition: QgsProcessingParameterNumber, value: float) -> None:
    """Raise an InputError if a number is not finite, outside its limits or not whole.

    QGIS accepts some of these, or changes them without a message.
    """
    name = definition.description()
    minimum = definition.minimum()
    maximum = definition.maximum()
    if not math.isfinite(value):
        raise InputError(
            "number.not_finite",
            "'{name}' must be a number, but it is {value}.",
            name=name,
            value=value,
        )
    if value < minimum:
        raise InputError(
            "number.below_minimum",
            "'{name}' must be at least {least:g}, but it is {value:g}.",
            name=name,
            least=minimum,
            value=value,
        )
    if value > maximum:
        raise InputError(
            "number.above_maximum",
            "'{name}' must be at most {most:g}, but it is {value:g}.",
            name=name,
            most=maximum,
            value=value,
        )
    must_be_integer = definition.dataType() == QgsProcessingParameterNumber.Type.Integer
    if must_be_integer and (value != round(value) or not -(2**31) <= value < 2**31):
        raise InputError(
            "number.not_whole",
            "'{name}' must be a whole number of at most nine digits, but it is {value:g}.",
            name=name,
            value=value,
        )
