"""The command line: parse, check, run; stdout is data, stderr is narration."""

import argparse
import csv
import difflib
import gc
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn, TextIO

from prof_tui import __version__
from prof_tui.data.discover import find_captures
from prof_tui.data.pane_columns import PANES
from prof_tui.data.query import OUTSIDE, Outside
from prof_tui.data.single_capture import single_capture
from prof_tui.data.written_rows import FORMATS
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError, UsageError
from prof_tui.words import _, printable, typed_text

PROGRAM = "prof-tui"
COMMANDS = ("open", "files", "table", "demo")

_NO_SCREEN = ("", "dumb", "unknown")
"""What TERM says where nothing can be drawn."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    _write_anything()
    try:
        arguments = _parser().parse_args(_with_command(sys.argv[1:] if argv is None else argv))
        run: Callable[[argparse.Namespace], int] = arguments.run
        return run(arguments)
    except ProfTuiError as error:
        return _refuse(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _refuse(_("Interrupted."), CancelledError.exit_code)
    except BrokenPipeError:
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _refuse(_system_says(error), UnreadableError.exit_code)


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
    if sys.stdout is None:
        raise UnreadableError(_("Standard output is closed."))
    if exact and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    for piece in pieces:
        sys.stdout.write(piece)
    sys.stdout.flush()


def _discard_output() -> None:
    """Let the interpreter write nothing at its end: nobody reads it, or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _has_screen() -> bool:
    """Whether there is a terminal to read keys from and to draw on: Textual draws on stderr."""
    terminals = all(_is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr))
    return terminals and os.environ.get("TERM", "") not in _NO_SCREEN


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
    return _show(found.captures, device=device, pane=arguments.pane, file=found.file)


def _show(
    captures: tuple[Path, ...],
    *,
    device: int | None = None,
    pane: str | None = None,
    file: Path | None = None,
) -> int:
    # Nothing is freed before the first picture, so collecting costs a tenth of the start for nothing;
    # the app turns it on again.
    gc.disable()
    from prof_tui.app import ProfTuiApp

    app = ProfTuiApp(captures=captures, device=device, pane=pane, file=file)
    app.run()
    return app.return_code or 0


def _files(arguments: argparse.Namespace) -> int:
    from prof_tui.data.files_report import file_rows, files_report, report_json, report_text
    from prof_tui.data.open_capture import OpenCapture

    found = single_capture(arguments.path)
    _note(found.notices)
    capture = OpenCapture(found.captures[0], chosen=found.file)
    report = files_report(capture)
    if arguments.format == "json":
        _write([report_json(report)], exact=True)
    else:
        _write(report_text(report, file_rows(capture)), exact=False)
        _note(report.notices)
    return 0


def _table(arguments: argparse.Namespace) -> int:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.table_request import TableRequest, answer_request
    from prof_tui.data.written_rows import write_rows

    found = single_capture(arguments.path)
    _note(found.notices)
    request = TableRequest(
        name=arguments.name,
        device=arguments.device,
        model=arguments.model,
        iteration=arguments.iteration,
        path_device=found.device,
        task_types=tuple(arguments.task_type),
        conditions=tuple(arguments.where),
        find=arguments.find,
        sort=arguments.sort,
        descending=arguments.descending,
        columns=arguments.columns,
        limit=arguments.limit,
    )
    capture = OpenCapture(found.captures[0], chosen=found.file)
    answer = answer_request(capture, request, all_columns=arguments.format != "text")
    width = shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None
    _write(write_rows(answer, arguments.format, width=width), exact=arguments.format in ("csv", "json"))
    if arguments.format != "json":
        _note([*answer.notices, *answer.counts()])
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    from prof_tui.data.demo_capture import write_demo

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


# Words


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        text = _("{message} (see {program} --help)")
        raise UsageError(text.format(message=message, program=self.prog))


def _parser() -> _Parser:
    parser = _Parser(
        prog=PROGRAM,
        allow_abbrev=False,
        description=_("Read an Ascend msprof export in the terminal: see in a second why a run is slow."),
        epilog=_(
            "`prof-tui PATH` is `prof-tui open PATH`, and `prof-tui` alone opens the current directory."
        ),
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar=_("COMMAND"), required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], meaning: str) -> _Parser:
        added: _Parser = commands.add_parser(name, help=meaning, description=meaning, allow_abbrev=False)
        added.set_defaults(run=run)
        return added

    _add_open(command("open", _open, _("Open a capture on the screen.")))
    _add_files(
        command("files", _files, _("List the files of an export: what each is, its rows, what is missing."))
    )
    _add_table(
        command("table", _table, _("Print a table of an export, or the part of it that is asked for."))
    )
    _add_demo(command("demo", _demo, _("Write a made-up capture with known faults and open it.")))
    return parser


def _add_path(parser: _Parser, *, optional: bool) -> None:
    meaning = _("a PROF directory, anything inside it, or a directory above it")
    if optional:
        meaning = _("{meaning} (default: the current directory)").format(meaning=meaning)
        parser.add_argument("path", metavar="PATH", type=Path, nargs="?", default=Path("."), help=meaning)
    else:
        parser.add_argument("path", metavar="PATH", type=Path, help=meaning)


def _add_open(parser: _Parser) -> None:
    _add_path(parser, optional=True)
    parser.add_argument("--device", metavar="N", type=_number, help=_("show this device only"))
    parser.add_argument("--pane", choices=PANES, help=_("the pane to begin with"))


def _add_files(parser: _Parser) -> None:
    _add_path(parser, optional=True)
    parser.add_argument("--format", choices=("text", "json"), default="text", help=_("default: text"))


def _add_table(parser: _Parser) -> None:
    _add_path(parser, optional=False)
    add = parser.add_argument
    add("name", metavar="NAME", help=_("the table: op_summary, op_statistic, step_trace, task_time, ..."))
    add("--device", metavar="N", type=_number, help=_("rows of this device"))
    add("--model", metavar="N", type=_number, help=_("rows of this Model ID"))
    add(
        "--iteration",
        metavar="N|outside",
        type=_iteration,
        help=_("rows of this iteration, or ops outside of all iterations"),
    )
    add(
        "--task-type",
        type=typed_text,
        metavar="T",
        action="append",
        default=[],
        help=_("rows of this Task Type or Core Type, N/A too; may be given several times"),
    )
    add(
        "--where",
        type=typed_text,
        metavar="'COLUMN OP VALUE'",
        action="append",
        default=[],
        help=_("rows for which this holds; OP is one of = != < <= > >= ~ !~ (~: contains); several are AND"),
    )
    add(
        "--find",
        metavar="TEXT",
        type=typed_text,
        default="",
        help=_("rows with TEXT in any text column, case ignored"),
    )
    add(
        "--sort",
        metavar="COLUMN",
        type=typed_text,
        help=_("numbers downwards, text and absolute times upwards"),
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--asc", dest="descending", action="store_false", default=None, help=_("sort upwards"))
    way.add_argument("--desc", dest="descending", action="store_true", default=None, help=_("sort downwards"))
    add("--columns", metavar="A,B,...", type=_columns, default=(), help=_("these columns in this order"))
    add("--limit", metavar="N", type=_count, help=_("the first N rows"))
    add("--format", choices=FORMATS, default="text", help=_("default: text, with the most useful columns"))


def _add_demo(parser: _Parser) -> None:
    meaning = _("an empty or new directory (default: a temporary one, removed at the end)")
    parser.add_argument("directory", metavar="DIR", type=Path, nargs="?", help=meaning)
    parser.add_argument("--no-open", action="store_true", help=_("only write it and print its path"))
    meaning = _("how the export is laid out (default: new)")
    parser.add_argument("--layout", choices=("new", "old"), default="new", help=meaning)


def _number(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(_("{text!r} is not a whole number").format(text=text))
    return int(text)


def _count(text: str) -> int:
    if (number := _number(text)) < 0:
        raise argparse.ArgumentTypeError(_("{text} is less than 0").format(text=text))
    return number


def _iteration(text: str) -> int | Outside:
    return OUTSIDE if text == OUTSIDE else _number(text)


def _columns(text: str) -> tuple[str, ...]:
    """Headers between commas; one that holds a comma itself stands in double quotes."""
    return tuple(name for name in next(csv.reader([typed_text(text)], skipinitialspace=True), []) if name)
