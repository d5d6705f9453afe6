"""The command line: parse, check, run; stdout is data, stderr is narration."""

import argparse
import difflib
import gc
import io
import math
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn, Self, TextIO

from prof_tui.arguments import COMMANDS, PROGRAM, parser_for
from prof_tui.data.capture.choice import single_capture
from prof_tui.data.capture.find import find_captures
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError, UsageError
from prof_tui.words import _, byte_size, printable, share, typed_text

_NO_SCREEN = ("", "dumb", "unknown")
"""What TERM says where nothing can be drawn."""
_FAILED = 3
"""The exit code of a ``--fail-on`` that holds, or could not be checked."""
_NARRATE_EVERY_S = 0.5


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    _write_anything()
    _listen_to_interrupts()
    try:
        arguments = parser_for(_RUNS).parse_args(_with_command(sys.argv[1:] if argv is None else argv))
        run: Callable[[argparse.Namespace], int] = arguments.run
        return run(arguments)
    except ProfTuiError as error:
        return _refuse(str(error), error.exit_code)
    except KeyboardInterrupt:
        _discard_output()
        return _refuse(_("Interrupted."), CancelledError.exit_code)
    except BrokenPipeError:
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _refuse(_system_says(error), UnreadableError.exit_code)


def _listen_to_interrupts() -> None:
    """A shell without job control starts what is in the background deaf to SIGINT."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _with_command(words: Sequence[str]) -> list[str]:
    """A command line that begins with a path or an option of ``open`` opens that path."""
    first = words[0] if words else ""
    if first in (*COMMANDS, "-h", "--help", "--version"):
        return list(words)
    if words and not first.startswith("-") and not os.path.lexists(first):
        raise UsageError(_unknown_word(first))
    return ["open", *words]


def _unknown_word(word: str) -> str:
    if os.sep in word:
        return _("No such file or directory: {word}").format(word=word)
    near = difflib.get_close_matches(word, COMMANDS, n=1, cutoff=0.4)
    if near:
        text = _("No such file or directory: {word}; nor is it a command, the nearest is {near}.")
        return text.format(word=word, near=near[0])
    text = _("No such file or directory: {word}; nor is it a command, those are {commands}.")
    return text.format(word=word, commands=", ".join(COMMANDS))


# Output


def _say(text: str) -> None:
    for line in text.split("\n"):
        print(printable(line), file=sys.stderr)


def _note(notices: Iterable[str]) -> None:
    for notice in notices:
        _say(_("note: {notice}").format(notice=notice))


def _refuse(text: str, exit_code: int) -> int:
    _say(f"{PROGRAM}: {text}")
    return exit_code


def _system_says(error: OSError) -> str:
    cause = error.strerror or str(error)
    if error.filename is None:
        return _("{cause}.").format(cause=cause)
    return _("{path}: {cause}.").format(path=error.filename, cause=cause)


def _write_anything() -> None:
    """Let no character fail that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _write(pieces: Iterable[str], *, exact: bool) -> None:
    """Pieces of text to stdout: ``exact`` as UTF-8, else in the encoding that the terminal reads."""
    stdout = _stdout()
    if exact and isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    for piece in pieces:
        stdout.write(piece)
    stdout.flush()


def _stdout() -> TextIO:
    if sys.stdout is None:
        raise UnreadableError(_("Standard output is closed."))
    return sys.stdout


def _discard_output() -> None:
    """Let the interpreter write nothing more at its end: nobody wants it, or the disk is full."""
    with suppress(AttributeError, io.UnsupportedOperation):  # closed, or not the process's own
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _has_screen() -> bool:
    """Whether there is a terminal to read keys from and to draw on: Textual draws on stderr."""
    terminals = all(_is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr))
    return terminals and os.environ.get("TERM", "") not in _NO_SCREEN


class _Narration:
    """A line on stderr that says how far a long step is, where that is a terminal; it erases itself."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = time.monotonic() + _NARRATE_EVERY_S if _is_terminal(sys.stderr) else math.inf
        self._width = 0

    def __call__(self, done: int, total: int) -> bool:
        """Takes bytes done and in all; never cancels."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _NARRATE_EVERY_S
            self._put(f"{self._text} {share(done, total)} of {byte_size(total)}")
        return True

    def _put(self, line: str) -> None:
        line = printable(line)
        print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._width:
            self._put("")
            print("\r", end="", file=sys.stderr, flush=True)


# Commands


def _open(arguments: argparse.Namespace) -> int:
    found = find_captures(arguments.path)
    if not _has_screen():
        text = _(
            "The screen needs a terminal (stdin, stdout, stderr); without: {program} table {path} op_summary"
        )
        raise UsageError(text.format(program=PROGRAM, path=shlex.quote(str(arguments.path))))
    _note(found.notices)
    device = found.device if arguments.device is None else arguments.device
    return _show(found.captures, device=device, pane=arguments.pane, file=found.file, notices=found.notices)


def _show(
    captures: tuple[Path, ...],
    *,
    device: int | None = None,
    pane: str | None = None,
    file: Path | None = None,
    notices: Sequence[str] = (),
) -> int:
    # Nothing is freed before the first picture, so collecting costs a tenth of the start for nothing;
    # the app turns it on again.
    gc.disable()
    _clean_up_when_ended(signal.SIGINT, signal.SIGQUIT)
    from prof_tui.app import ProfTuiApp

    app = ProfTuiApp(captures=captures, device=device, pane=pane, file=file, notices=notices)
    app.run()
    return app.return_code or 0


def _clean_up_when_ended(*also: signal.Signals) -> None:
    """Give the terminal back and remove what is temporary when it is lost, or the program is ended.

    ``also``: by these signals too, besides SIGTERM and SIGHUP.
    """

    def leave(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP, *also):
        signal.signal(number, leave)


def _files(arguments: argparse.Namespace) -> int:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.requests.files import file_rows, files_json, files_report, files_text
    from prof_tui.data.requests.timeline_facts import read_timelines

    found = single_capture(arguments.path)
    _note(found.notices)
    capture = OpenCapture(found.captures[0], chosen=found.file)
    with _Narration(_("Reading timelines:")) as progress:
        timelines = read_timelines(capture, progress)
    report = files_report(capture, timelines)
    if arguments.format == "json":
        _write([files_json(report)], exact=True)
    else:
        _write(files_text(report, file_rows(capture, timelines)), exact=False)
        _note(report.notices)
    return 0


def _table(arguments: argparse.Namespace) -> int:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.requests.table import TableRequest, answer_request
    from prof_tui.data.writing.rows import EXACT_FORMATS, write_rows

    found = single_capture(arguments.path)
    _note(found.notices)
    request = TableRequest(
        name=arguments.name,
        device=arguments.device,
        model=arguments.model,
        iteration=arguments.iteration,
        path_device=found.device,
        task_types=tuple(map(typed_text, arguments.task_type)),
        conditions=tuple(map(typed_text, arguments.where)),
        find=typed_text(arguments.find),
        sort=None if arguments.sort is None else typed_text(arguments.sort),
        descending=arguments.descending,
        columns=tuple(map(typed_text, arguments.columns)),
        limit=arguments.limit,
    )
    capture = OpenCapture(found.captures[0], chosen=found.file)
    answer = answer_request(capture, request, all_columns=arguments.format != "text")
    width = shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None
    _write(write_rows(answer, arguments.format, width=width), exact=arguments.format in EXACT_FORMATS)
    if arguments.format != "json":
        _note([*answer.notices, *answer.counts()])
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.report.fail_on import parse_fail_on, verdict
    from prof_tui.data.report.formats import write_report
    from prof_tui.data.report.report import read_report

    conditions = parse_fail_on(map(typed_text, arguments.fail_on))
    found = single_capture(arguments.path)
    _note(found.notices)
    device = found.device if arguments.device is None else arguments.device
    capture, steady_from = OpenCapture(found.captures[0], chosen=found.file), arguments.steady_from
    report = read_report(capture, device=device, model=arguments.model, steady_from=steady_from)
    _write(write_report(report, arguments.format), exact=arguments.format == "json")
    judged = verdict(conditions, report.findings)
    _note(judged.notes)
    return _refuse("\n".join(judged.sentences), _FAILED) if judged.sentences else 0


def _trace(arguments: argparse.Namespace) -> int:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.requests.trace import TraceRequest, answer_trace
    from prof_tui.data.timeline.carve import carve, carve_whole
    from prof_tui.data.writing.new_files import check_new

    found = single_capture(arguments.path)
    _note(found.notices)
    target = None if arguments.output == "-" else Path(arguments.output)
    if target is not None:
        check_new(target)
    _clean_up_when_ended()
    request = TraceRequest(
        iteration=arguments.iteration,
        device=arguments.device,
        model=arguments.model,
        path_device=found.device,
        layers=tuple(map(typed_text, arguments.layer)),
        path_file=found.file,
    )
    capture = OpenCapture(found.captures[0], chosen=found.file)
    with _Narration(_("Reading the timeline:")) as progress:
        answer = answer_trace(capture, request, progress)
    with _Narration(_("Writing:")) as progress:
        if target is None:
            carved = carve_whole(answer.index, answer.cut, _stdout().buffer, progress)
        else:
            carved = carve(answer.index, answer.cut, target, progress)
    written = _("{title}, is in {file}.").format(title=answer.title(), file=target or _("stdout"))
    _note([*answer.notices, written, *carved.sentences()])
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    from prof_tui.demo.write import write_demo

    _clean_up_when_ended()
    with ExitStack() as undo:
        folder = arguments.directory
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="prof-tui-demo-"))
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
        capture = write_demo(folder, arguments.layout)
        if _has_screen() and not arguments.no_open:
            return _show((capture,))
        _write([f"{capture}\n"], exact=False)
        undo.pop_all()
    if arguments.directory is None:
        _note([_("{path} is kept; delete it when you are done with it.").format(path=folder)])
    return 0


def _help(arguments: argparse.Namespace) -> int:
    from prof_tui.reference.topics import help_pages

    if arguments.topic is None:
        _write([parser_for(_RUNS).format_help()], exact=False)
        return 0
    width = shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None
    _write(help_pages(arguments.topic, arguments.format, width), exact=arguments.format == "md")
    return 0


_RUNS = {
    "open": _open,
    "files": _files,
    "table": _table,
    "report": _report,
    "trace": _trace,
    "demo": _demo,
    "help": _help,
}
