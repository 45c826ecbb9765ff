"""Entry of the command ``randcrowns``: reads its arguments, and does the job."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from randcrowns.command.job_table import JobCommand, job_named
from randcrowns.command.parser import build_parser
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.old_names import COMMAND_OPTIONS
from randcrowns.jobs.parameters import (
    LIMIT_PARAMETERS,
    describe_jobs,
    read_parameter_file,
    read_values,
    refuse_contradiction,
)
from randcrowns.jobs.refused import REFUSED
from randcrowns.jobs.written_files import (
    WRITTEN_SUFFIXES,
    check_folders,
    check_outputs,
    names_other_file,
    path_of,
    unknown_ending_error,
    write_text,
)

if TYPE_CHECKING:
    from randcrowns.jobs.tables import JobTables

#: Exit codes: success, failure, wrong arguments, interrupted with Ctrl-C.
DONE = 0
FAILED = 1
MISUSED = 2
STOPPED = 130
# A program that a signal ends has the exit code 128 + the number of the signal.
_SIGNAL_OFFSET = 128
# Signals that stop the command as Ctrl-C does: Slurm sends SIGTERM before the time of a job ends,
# and a terminal SIGHUP when it is closed.
_STOP_SIGNALS = ("SIGTERM", "SIGHUP")
#: Value of ``--out`` for JSON on standard output.
_STANDARD_OUTPUT = "-"
#: Options of :class:`randcrowns.jobs.layers.InputOptions`.
_INPUT_OPTIONS = ("images", "assign_crs", "ground_resolution")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: arguments of the command; by default those of the process.

    Returns:
        The exit code: :data:`DONE`, :data:`FAILED`, :data:`MISUSED`, :data:`STOPPED`, or 128 + the
        number of the signal that ended the command.
    """
    _print_any_path()
    if arguments is None:
        arguments = sys.argv[1:]
    parser = build_parser()
    current_arguments = [_current_option(argument) for argument in arguments]
    options = vars(parser.parse_args(current_arguments))
    options["command_line"] = shlex.join(["randcrowns", *arguments])
    if options["job"] is None:
        parser.print_help()
        return MISUSED
    try:
        with _stop_on_signals():
            _run(parser, options)
    except (KeyboardInterrupt, Cancelled) as error:
        _print_error(_stop_message(options))
        return error.exit_code if isinstance(error, _StoppedBySignal) else STOPPED
    except BrokenPipeError:
        # The reader, such as head, has read enough. Python would report the rest at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if not _is_expected(error):
            raise
        _print_error(error)
        return FAILED
    return DONE


def _print_error(error: Exception | str) -> None:
    """Print an error, in a terminal below the line of a progress bar."""
    line_end = "\n" if sys.stderr.isatty() else ""
    print(f"{line_end}randcrowns: {error}", file=sys.stderr)


def _is_expected(error: Exception) -> bool:
    """Return True if an error is a sentence for users, from this package or from a library."""
    if isinstance(error, (RandCrownsError, OSError, ModuleNotFoundError)):
        return True
    packages = {base.__module__.partition(".")[0] for base in type(error).__mro__}
    return not packages.isdisjoint(("pyarrow", "shapely"))


def _run(parser: argparse.ArgumentParser, options: dict[str, Any]) -> None:
    """Do the job that the options name."""
    name = options["job"]
    if name == "manual":
        from randcrowns.command.manual import manual_page

        print(manual_page(parser), end="")
    elif name == "completion":
        from randcrowns.command.completion import completion_script

        print(completion_script(parser, options["shell"]), end="")
    elif name == "partition":
        from randcrowns.command.tile_jobs import run_partition

        run_partition(options)
    elif name == "summary":
        from randcrowns.command.tile_jobs import run_summary

        run_summary(options)
    elif name == "report":
        _run_report(options)
    elif name == "export":
        _run_export(options)
    elif name == "benchmark":
        _run_benchmark(options)
    else:
        _run_job(parser, job_named(name), options)


def _run_report(options: Mapping[str, Any]) -> None:
    """Write a report on written results, and a page to explore one of them."""
    report_file = options["html"]
    explore_file = options["explore"]
    image_file = options["image"]
    inputs = [*options["results"], image_file]
    check_outputs(list(filter(None, [report_file, explore_file])), list(filter(None, inputs)))
    _check_report(options)
    _check_pages(options)
    from randcrowns.jobs.pages import explore_page, report_page

    results = [_read_results(path) for path in options["results"]]
    if report_file:
        write_text(path_of(report_file), report_page(results, options["title"]))
        print(f"Report: {report_file}", file=sys.stderr)
    if explore_file:
        image = path_of(image_file) if image_file else None
        write_text(path_of(explore_file), explore_page(results[0], image))
        print(f"Page to explore: {explore_file}", file=sys.stderr)


def _read_results(path: str) -> JobTables:
    """Return a written result. Only results directories need the libraries of batch."""
    if Path(path).is_dir():
        from randcrowns.batch.records import read_results

        return read_results(path)
    from randcrowns.jobs.records import read_record

    return read_record(path)


def _check_report(options: Mapping[str, Any]) -> None:
    """Raise an InputError for a report without a file, or pages that cannot be made together."""
    if not (options["html"] or options["explore"]):
        raise InputError(
            "jobs.no_page", "Name the file of the report (--html) or of the page (--explore)."
        )
    if options["explore"] and len(options["results"]) > 1:
        raise InputError(
            "jobs.several_to_explore",
            "A page to explore shows one result, but {count} are named. Name one of them.",
            count=len(options["results"]),
        )
    if options["image"] and not options["explore"]:
        raise _image_without_page_error()


def _run_job(parser: argparse.ArgumentParser, job: JobCommand, options: dict[str, Any]) -> None:
    """Do a job of the toolbox: at once, or tile by tile if its output is a folder.

    Args:
        parser: parser of the command, for errors.
        job: the job.
        options: options of the command line.
    """
    inputs = {item.name: options[item.name] for item in job.inputs}
    parameters = _parameters(job, options)
    out = options["out"]
    if _is_folder(out) and job.batch_function and not names_other_file(out):
        from randcrowns.command.tile_jobs import run_tiled, use_certificate

        use_certificate(parser, options)
        run_tiled(job, read_values(job.name, parameters), inputs, options)
        return
    _check_output(job, options)
    _check_image(job, options)
    _check_files(job, options)
    _check_pages(options)
    input_options = {}
    for name in (*_INPUT_OPTIONS, "images_of"):
        if options.get(name):
            input_options[name] = options[name]
    run = job.load()
    result = replace(run(**inputs, **parameters, **input_options), command=options["command_line"])
    _print_result(result, options, job.columns)
    _write_result(result, options)
    if options["explore"]:
        result.explore(options["explore"], _explore_image(job, options))
        print(f"Page to explore: {options['explore']}", file=sys.stderr)


def _print_result(result: Any, options: Mapping[str, Any], columns: Sequence[str] = ()) -> None:
    """Print the summary of a result as a table or as JSON, and its messages.

    Args:
        result: result of a job.
        options: options of the command line.
        columns: columns of the table; all of them if there are none.
    """
    record = result.to_dict()
    if options["out"] == _STANDARD_OUTPUT:
        print(json.dumps(record, indent=1, ensure_ascii=False))
    elif options["json"]:
        print(json.dumps(record["summary"], indent=1, ensure_ascii=False))
    else:
        from randcrowns.command.printing import print_table

        print_table(result.summary, as_json=False, columns=columns)
    if not options["quiet"]:
        _print_messages(result)


def _write_result(result: Any, options: Mapping[str, Any]) -> None:
    """Write a result and its report to the files that the options name."""
    if options["out"] not in (None, _STANDARD_OUTPUT):
        result.write(options["out"])
        print(f"Results: {options['out']}", file=sys.stderr)
    if options["html"]:
        result.report(options["html"])
        print(f"Report: {options['html']}", file=sys.stderr)


def _parameters(job: JobCommand, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a job: those of the file, replaced by those of the command line.

    Inputs and outputs in the file are not used.
    """
    parameters: dict[str, Any] = {}
    if options["parameters"]:
        # A parameter that the job refuses is passed on, so that the job gives the reason.
        known_names = {*job.option_names, *REFUSED.get(job.name, ())}
        file_values = read_parameter_file(options["parameters"])
        parameters = {name: value for name, value in file_values.items() if name in known_names}
        used_names = sorted(parameters.keys() & set(job.option_names))
        if not options["quiet"]:
            used = ", ".join(used_names) or "none"
            print(f"Parameters of {options['parameters']}: {used}.", file=sys.stderr)
    for name in job.option_names:
        if options[name] is not None:
            parameters[name] = options[name]
    return parameters | _limits(options)


def _limits(options: Mapping[str, Any]) -> dict[str, float]:
    """Return the parameters that option --limits sets.

    Raises:
        InputError: if the option of a parameter has another value.
    """
    parameters: dict[str, float] = {}
    for limit, value in (options.get("limits") or {}).items():
        name = LIMIT_PARAMETERS[limit]
        own_value = options[name]
        if own_value is not None:
            own_value = describe_jobs()["score"].parameters[name].check(own_value)
        option = f"--{name.replace('_', '-')}"
        refuse_contradiction({f"--limits {limit}": value, option: own_value})
        parameters[name] = value
    return parameters


def _is_folder(out: str | None) -> bool:
    """Return True if the output is neither a file that is written at once nor standard output."""
    if out in (None, _STANDARD_OUTPUT):
        return False
    return Path(str(out)).suffix.lower() not in WRITTEN_SUFFIXES


def _check_output(job: JobCommand, options: Mapping[str, Any]) -> None:
    """Raise an InputError for an output that a job cannot write, or options of tiles without them.

    Args:
        job: the job, which is not done tile by tile.
        options: options of the command line.
    """
    if _is_folder(options["out"]):
        raise unknown_ending_error(options["out"])
    if not job.batch_function:
        return
    names = ("id_column", "tile", "maximum_crowns", "workers", "scheduler", "resume", "tls_ca")
    used_names = [name for name in names if options[name]]
    if used_names:
        raise InputError(
            "jobs.only_by_tiles",
            "{names} can be used only tile by tile. Name a folder for the results: --out DIR.",
            names=["--" + name.replace("_", "-") for name in used_names],
        )


def _explore_image(job: JobCommand, options: Mapping[str, Any]) -> str | None:
    """Return the image of the page to explore; None without one.

    Other jobs than ``score`` have a parameter of the same name with another meaning.
    """
    return options["image"] if job.name == "score" else None


def _check_image(job: JobCommand, options: Mapping[str, Any]) -> None:
    """Raise an InputError if an image is named, but no page to explore that shows it."""
    if _explore_image(job, options) and not options["explore"]:
        raise _image_without_page_error()


def _image_without_page_error() -> InputError:
    """Return the error that an image is named, but no page that shows it."""
    return InputError(
        "jobs.image_without_page",
        "The image is shown on the page to explore only. Name its file: --explore FILE.",
    )


def _check_files(job: JobCommand, options: Mapping[str, Any]) -> None:
    """Raise an InputError if an output would replace an input of a job, or another output."""
    from randcrowns.jobs.layers import files_of

    sources = [options["parameters"], _explore_image(job, options)]
    for item in job.inputs:
        value = options[item.name]
        sources += value if isinstance(value, list) else [value]
    input_files: list[Path] = []
    for source in sources:
        if source:
            input_files += files_of(source)
    check_outputs(_output_files(options, ("out", "html", "explore")), input_files)


def _output_files(options: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return the files that options name, without standard output.

    Args:
        options: options of the command line.
        names: names of the options for outputs.
    """
    paths = [options[name] for name in names]
    return [path for path in paths if path not in (None, _STANDARD_OUTPUT)]


def _check_pages(options: Mapping[str, Any]) -> None:
    """Raise an error, before a job runs, if its outputs cannot be written afterwards.

    Args:
        options: options of the command line.

    Raises:
        InputError: if the folder of an output does not exist.
        MissingLibraryError: if a library for a report or a page to explore is not installed.
    """
    names = ("out", "html", "explore", "table")
    check_folders([options[name] for name in names if options.get(name)])
    if options.get("html"):
        from randcrowns.jobs.results import require_matplotlib

        require_matplotlib()
    if options.get("explore"):
        from randcrowns.report.explore.leaflet import read_leaflet

        read_leaflet()


def _print_messages(result: Any) -> None:
    """Print the conclusion and the notices of a job."""
    if result.conclusion:
        print(result.conclusion, file=sys.stderr)
    for message in result.messages:
        if message.is_notice:
            print(f"{message.severity.value}: {message}", file=sys.stderr)


def _run_export(options: dict[str, Any]) -> None:
    """Export a results directory, or crowns in a format of other programs."""
    layers = options["layers"]
    folder = options["out"]
    if len(layers) == 2 and folder is None:
        from randcrowns.command.tile_jobs import run_results_export

        run_results_export(options)
        return
    if folder is None or len(layers) > 2:
        raise InputError(
            "jobs.export_arguments",
            "Give a results directory and a GeoPackage; or target crowns, perhaps predicted "
            "crowns, and a folder (--out).",
        )
    from randcrowns.command.printing import print_table
    from randcrowns.jobs.exchange import export_crowns

    parameters = {}
    for name in ("format", "score_field", "class_field"):
        if options[name] is not None:
            parameters[name] = options[name]
    for name in _INPUT_OPTIONS:
        if options[name]:
            parameters[name] = options[name]
    result = export_crowns(
        targets=layers[0],
        folder=folder,
        predictions=layers[1] if len(layers) > 1 else None,
        ignored=options["ignored"],
        image=options["image"],
        **parameters,
    )
    print_table(result.summary, options["json"])
    _print_messages(result)


def _run_benchmark(options: dict[str, Any]) -> None:
    """Evaluate submissions to a published benchmark, and write the tables."""
    from randcrowns.jobs.benchmarks.benchmark import benchmark
    from randcrowns.jobs.layers import files_of

    if _is_folder(options["out"]):
        raise unknown_ending_error(options["out"])
    input_files: list[Path] = []
    for source in (*options["submissions"], options["truth"]):
        if source:
            input_files += files_of(source)
    check_outputs(_output_files(options, ("out", "html", "table")), input_files)
    _check_pages(options)
    comparison = benchmark(
        options["layout"],
        options["submissions"],
        truth=options["truth"],
        images=options["images"],
        plot_field=options["plot_field"],
        target_attribute=options["target_attribute"],
        prediction_attribute=options["prediction_attribute"],
    )
    result = replace(comparison, command=options["command_line"])
    _print_result(result, options)
    _write_result(result, options)
    if options["table"]:
        write_text(path_of(options["table"]), result.table.to_csv(index=False))
        print(f"Table of the authors: {options['table']}", file=sys.stderr)


class _StoppedBySignal(KeyboardInterrupt):
    """Interruption by a signal other than that of Ctrl-C.

    Args:
        number: number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = _SIGNAL_OFFSET + number


@contextmanager
def _stop_on_signals() -> Iterator[None]:
    """Interrupt the body at the signals :data:`_STOP_SIGNALS`, as Ctrl-C does.

    A signal that is ignored, as after ``nohup``, stays ignored. Only the main thread can receive
    signals; in another thread, this function does nothing.
    """

    def stop(number: int, _frame: Any) -> None:
        raise _StoppedBySignal(number)

    previous_handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in _STOP_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                previous_handlers[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


def _stop_message(options: dict[str, Any]) -> str:
    """Return what remains of an interrupted command, as a message.

    Args:
        options: parsed options.
    """
    out = options.get("out")
    if "resume" not in options or not _is_folder(out):
        return "interrupted. Nothing was written."
    return "interrupted. Finished tiles are kept. Run the same command with --resume to continue."


def _print_any_path() -> None:
    """Print characters that the terminal lacks, or that are not UTF-8, as escape sequences."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _current_option(argument: str) -> str:
    """Return an argument with the old name of an option replaced.

    >>> _current_option("--most-crowns=100")
    '--max-crowns=100'
    """
    option, equals, value = argument.partition("=")
    return COMMAND_OPTIONS.get(option, option) + equals + value
