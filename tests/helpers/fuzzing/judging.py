"""What the program makes of a damaged capture: every command and pane, and whether no row is lost."""

import csv
import io
import json
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest.mock import patch

import polars as pl

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from prof_tui.data.tables.table import Table, kept_rows
from prof_tui.errors import ProfTuiError
from tests.helpers.captures import rows_of
from tests.helpers.command_line import run_here
from tests.helpers.driven_app import opened
from tests.helpers.fuzzing.captures import Damaged

LONGEST_S = 10
"""Of processor time: other processes don't count."""
_UNFORESEEN = ("Traceback", "nobody foresaw", "unexpected")
_EXITS = (0, 1, 2, 3)


class HungError(BaseException):
    """Something takes too long; nothing in between takes it for an error of its own."""


@dataclass(frozen=True)
class Fault:
    """What went wrong, and where."""

    what: str
    where: str


@contextmanager
def in_time() -> Iterator[None]:
    """HungError where the block takes more than ``LONGEST_S``."""

    def hung(_number: int, _frame: object) -> None:
        raise HungError(f"more than {LONGEST_S} s")

    before = signal.signal(signal.SIGPROF, hung)
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def faults_of(look: Callable[[], Iterator[str]], where: str) -> Iterator[Fault]:
    """What a look at the capture finds, one fault where it fails itself."""
    try:
        with in_time():
            yield from [Fault(what, where) for what in look()]
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        place = [
            f"{Path(each.filename).name}:{each.lineno}" for each in traceback.extract_tb(error.__traceback__)
        ]
        yield Fault(f"{type(error).__name__}: {str(error)[:200]} ({' '.join(place[-6:])})", where)


# Commands


def command_lines(random: Random, prof: Path, out: Path) -> list[list[str]]:
    """Some of the commands, with some of their options."""
    path = str(prof)
    forms = ("text", "csv", "json", "md")
    names = ("op_summary", "op_summary", "op_statistic", "step_trace", "task_time")
    every = (
        ["files", path, "--format", random.choice(("text", "json"))],
        ["report", path, "--format", random.choice(("text", "md", "json"))],
        *(["table", path, name, "--format", random.choice(forms), *_options(random, name)] for name in names),
        ["trace", path, "--iteration", random.choice("1234"), "-o", str(out)],
    )
    return random.sample(every, 4)


def _options(random: Random, name: str) -> list[str]:
    if name != "op_summary":
        return []
    choices: tuple[list[str], ...] = (
        ["--sort", random.choice(("Task Duration", "Task Start Time", "Op Name", "Task ID", "Block Num"))],
        [
            "--where",
            random.choice(("Task Duration > 5", "Op Name ~ a", "Task ID != 3", "Task Type = AI_CORE")),
        ],
        ["--find", random.choice(("MatMul", "512", "]", "\\"))],
        ["--task-type", "AI_CPU"],
        ["--iteration", "3"],
        ["--limit", "3"],
        [],
    )
    return [word for chosen in random.sample(choices, 2) for word in chosen]


def look_at_command(words: list[str], folder: Path) -> Iterator[str]:
    ran = run_here(words, {"TMPDIR": str(folder), "XDG_CACHE_HOME": str(folder)}, folder)
    said = ran.out + ran.err
    if ran.code not in _EXITS:
        yield f"exit status {ran.code}"
    if found := [line for line in said.splitlines() if any(word in line for word in _UNFORESEEN)]:
        yield found[0][:300]
    if ran.code in (1, 2) and ran.out:
        yield "an error that isn't the only thing written"
    if ran.code == 0 and "json" in words:
        json.loads(ran.out, parse_constant=_refuse)
    if ran.code == 0 and "csv" in words:
        header, *rows = csv.reader(io.StringIO(ran.out))
        if any(len(row) != len(header) for row in rows):
            yield "rows of CSV of another length than their header"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


# Rows


def look_at_rows(found: Damaged) -> Iterator[str]:
    """No row without a word, the same rows from memory and from the file."""
    for name, rows in found.rows.items():
        read: dict[int, object] = {}
        for size in (0, 1 << 30):
            with patch.object(open_table, "SMALL_FILE_BYTES", size):
                try:
                    table = OpenCapture(found.path).table(name)
                    read[size] = _read(table)
                except ProfTuiError as error:
                    read[size] = str(error)
                    continue
            tallies = [source.store.tally for source in table.sources]
            left_out = sum(tally.left_out + tally.headers + tally.last_line_cut for tally in tallies)
            if not table.problems and table.total + left_out != rows:
                yield f"{name}: {table.total} shown and {left_out} left out of {rows} rows"
        if read[0] != read[1 << 30]:
            yield f"{name}: other rows or values in memory than in the file"


def _read(table: Table) -> tuple[object, ...]:
    table.load([column for column in table.columns if not column.derived])
    kept = kept_rows(table)
    numbers = {
        column.header: _kept(table.numbers(column), kept)
        for column in table.columns
        if column.kind != "text" and not column.derived
    }
    return rows_of(table), numbers, table.notices


def _kept(values: pl.Series, kept: pl.Series | None) -> list[object]:
    return (values if kept is None else values.filter(kept)).to_list()


# Panes


async def look_at_panes(random: Random, prof: Path) -> list[str]:
    """What is said in no words for users, in any pane and behind some keys."""
    said: list[str] = []
    async with opened(prof, size=random.choice(((80, 24), (140, 40)))) as user:
        for key in "123456":
            await user.press(key)
            for more in random.sample(("enter", "o", "G", "right", "t", "escape", "down", "b", "x", "c"), 4):
                await user.press(more)
                said += [user.words, *user.said]
            await user.press("escape", "escape")
    return [text[:300] for text in dict.fromkeys(said) if any(word in text for word in _UNFORESEEN)]
