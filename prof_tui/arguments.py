"""The words of the command line: commands, options and what they mean."""

import argparse
import csv
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from prof_tui import __version__
from prof_tui.data.query.query import OUTSIDE, OnFrom, Outside
from prof_tui.data.writing.rows import FORMATS
from prof_tui.errors import UsageError
from prof_tui.panes.registry import PANES
from prof_tui.reference.topics import TOPICS
from prof_tui.words import _

PROGRAM = "prof-tui"
COMMANDS = ("open", "files", "table", "report", "trace", "demo", "help")

_MOST_DIGITS = 18
"""Of a number, so that it fits in 64 bits."""

Run = Callable[[argparse.Namespace], int]
"""Does a command; returns its exit status."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong as a UsageError."""

    late_epilog: Callable[[], str] | None = None
    """What help ends with, where it takes time to put together; its lines stay as they are."""

    def format_help(self) -> str:
        if self.late_epilog is not None:
            self.epilog = self.late_epilog()
            self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        text = _("{message} (see {program} --help)")
        raise UsageError(text.format(message=message, program=self.prog))


def parser_for(runs: Mapping[str, Run]) -> Parser:
    """The parser of the whole command line; ``runs`` has what each command does, by its name."""
    parser = Parser(
        prog=PROGRAM,
        allow_abbrev=False,
        description=_("Read an Ascend msprof export in the terminal: see in a second why a run is slow."),
        epilog=_(
            "`prof-tui PATH` is `prof-tui open PATH`, and `prof-tui` alone opens the current directory."
        ),
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar=_("COMMAND"), required=True)

    def command(name: str, meaning: str) -> Parser:
        added: Parser = commands.add_parser(name, help=meaning, description=meaning, allow_abbrev=False)
        added.set_defaults(run=runs[name])
        return added

    _add_open(command("open", _("Open a capture on the screen.")))
    _add_files(command("files", _("List the files of an export: what each is, its rows, what is missing.")))
    _add_table(command("table", _("Print a table of an export, or the part of it that is asked for.")))
    _add_report(command("report", _("Print what the run was, where its time goes, and what to do next.")))
    _add_trace(command("trace", _("Write one iteration of a timeline as a small timeline of its own.")))
    _add_demo(command("demo", _("Write a made-up capture with known faults and open it.")))
    _add_help(command("help", _("List keys, columns, findings, file types or the keys of the JSON.")))
    return parser


def _add_path(parser: Parser, *, optional: bool) -> None:
    meaning = _("a PROF directory, anything inside it, a directory above it, or exported files anywhere")
    if optional:
        meaning = _("{meaning} (default: the current directory)").format(meaning=meaning)
        parser.add_argument("path", metavar="PATH", type=Path, nargs="?", default=Path("."), help=meaning)
    else:
        parser.add_argument("path", metavar="PATH", type=Path, help=meaning)


def _add_open(parser: Parser) -> None:
    _add_path(parser, optional=True)
    parser.add_argument("--device", metavar="N", type=_number, help=_("show this device only"))
    parser.add_argument("--pane", choices=PANES, help=_("the pane to begin with"))


def _add_files(parser: Parser) -> None:
    _add_path(parser, optional=True)
    parser.add_argument("--format", choices=("text", "json"), default="text", help=_("default: text"))


def _add_table(parser: Parser) -> None:
    _add_path(parser, optional=False)
    add = parser.add_argument
    add("name", metavar="NAME", help=_("the table: op_summary, op_statistic, step_trace, task_time, ..."))
    add("--device", metavar="N", type=_number, help=_("rows of this device"))
    add("--model", metavar="N", type=_number, help=_("rows of this Model ID"))
    add(
        "--iteration",
        metavar="N|N-|A-B|outside",
        type=_iteration,
        help=_("rows of this iteration, of several or from one on (of the main model), or outside of all"),
    )
    add(
        "--task-type",
        metavar="T",
        action="append",
        default=[],
        help=_("rows of this Task Type or Core Type, N/A too; may be given several times"),
    )
    add(
        "--where",
        metavar="'COLUMN OP VALUE'",
        action="append",
        default=[],
        help=_("rows for which this holds; OP is one of = != < <= > >= ~ !~ (~: contains); several are AND"),
    )
    add("--find", metavar="TEXT", default="", help=_("rows with TEXT in any text column, case ignored"))
    add("--sort", metavar="COLUMN", help=_("numbers downwards, text and absolute times upwards"))
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--asc", dest="descending", action="store_false", default=None, help=_("sort upwards"))
    way.add_argument("--desc", dest="descending", action="store_true", default=None, help=_("sort downwards"))
    add("--columns", metavar="A,B,...", type=_columns, default=(), help=_("these columns in this order"))
    add("--limit", metavar="N", type=_count, help=_("the first N rows"))
    add("--format", choices=FORMATS, default="text", help=_("default: text, with the most useful columns"))


def _add_report(parser: Parser) -> None:
    _add_path(parser, optional=False)
    add = parser.add_argument
    add("--device", metavar="N", type=_number, help=_("this device only"))
    add("--model", metavar="N", type=_number, help=_("iterations of this Model ID, not of the main model"))
    add(
        "--steady-from",
        metavar="N",
        type=_positive,
        help=_("first Iteration ID that counts (default: 3)"),
    )
    add("--format", choices=("text", "md", "json"), default="text", help=_("default: text"))
    add(
        "--fail-on",
        metavar="ID[:>VALUE]",
        action="append",
        default=[],
        help=_("exit 3 on such a finding, or when it could not be checked; may be given several times"),
    )
    parser.late_epilog = _fail_on_help


def _fail_on_help() -> str:
    from prof_tui.data.findings.texts import ids_text

    return _("ID and what its VALUE is, such as --fail-on 'aicpu_share:>5%':") + "\n" + ids_text()


def _add_trace(parser: Parser) -> None:
    _add_path(parser, optional=False)
    add = parser.add_argument
    add("--iteration", metavar="N", type=_number, required=True, help=_("the iteration to write"))
    add("--model", metavar="N", type=_number, help=_("the iteration of this Model ID"))
    add(
        "--device",
        metavar="N",
        type=_number,
        help=_("the iteration of this device; lanes of others are left out"),
    )
    add(
        "--layer",
        metavar="NAME",
        action="append",
        default=[],
        help=_("lanes of this layer (process), case ignored; may be given several times"),
    )
    meaning = _("the new JSON file, for Perfetto or MindStudio Insight; - for stdout")
    add("-o", "--output", metavar="FILE.json", required=True, help=meaning)


def _add_demo(parser: Parser) -> None:
    meaning = _("an empty or new directory (default: a temporary one, removed at the end)")
    parser.add_argument("directory", metavar="DIR", type=Path, nargs="?", help=meaning)
    parser.add_argument("--no-open", action="store_true", help=_("only write it and print its path"))
    meaning = _("how the export is laid out (default: new)")
    parser.add_argument("--layout", choices=("new", "old"), default="new", help=meaning)


def _add_help(parser: Parser) -> None:
    parser.add_argument("topic", choices=TOPICS, nargs="?", help=_("default: what the program takes"))
    parser.add_argument("--format", choices=("text", "md"), default="text", help=_("default: text"))


def _number(text: str) -> int:
    if not re.fullmatch("-?[0-9]+", text):
        raise argparse.ArgumentTypeError(_("{text!r} is not a whole number").format(text=text))
    if len(text.lstrip("-")) > _MOST_DIGITS:
        said = _("{text} is too large: {n} digits are the most").format(text=text, n=_MOST_DIGITS)
        raise argparse.ArgumentTypeError(said)
    return int(text)


def _positive(text: str) -> int:
    if (number := _number(text)) < 1:
        raise argparse.ArgumentTypeError(_("{text} is less than 1").format(text=text))
    return number


def _count(text: str) -> int:
    if (number := _number(text)) < 0:
        raise argparse.ArgumentTypeError(_("{text} is less than 0").format(text=text))
    return number


def _iteration(text: str) -> int | OnFrom | Outside:
    if text == OUTSIDE:
        return OUTSIDE
    first, _dash, last = text.partition("-")
    if first and last:
        return _iterations(_positive(first), _positive(last))
    return OnFrom(_positive(text[:-1])) if text.endswith("-") else _number(text)


def _iterations(first: int, last: int) -> OnFrom:
    if first > last:
        text = _("{first}-{last} ends before it begins")
        raise argparse.ArgumentTypeError(text.format(first=first, last=last))
    return OnFrom(first, last)


def _columns(text: str) -> tuple[str, ...]:
    """Headers between commas; one that holds a comma itself stands in double quotes."""
    return tuple(name for name in next(csv.reader([text], skipinitialspace=True), []) if name)
