"""What the screen is to show, asked of ``prof-tui table`` before anything is measured."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
DURATION, WAIT = "Task Duration(us)", "Task Wait Time(us)"
PAGES = 40
"""How many pages down are measured."""
_LEADING_ROWS = 40 * (PAGES + 1)
"""More than ``PAGES`` pages of a terminal of 40 lines."""


@dataclass(frozen=True)
class Answers:
    """Cells of op_summary as the file has them."""

    rows: int
    first_duration: str
    """Of the row that stands first in the files."""
    durations: tuple[str, ...]
    """Task Duration of the slowest ops, enough for every page that is measured."""
    wait: str
    """The longest Task Wait Time."""
    task_type: str
    """The Task Type to filter by: that of the first row of the file."""
    type_rows: int
    type_duration: str
    """A Task Duration near the top of the filtered table that isn't near the top of the whole one."""
    texts: tuple[tuple[str, int], ...]
    """Texts to find, and how many rows each is in."""


def ask(capture: Path) -> Answers:
    """Takes as long as five sorts and searches of the command line."""
    first = _table(capture, "--limit", "1")
    row = first["rows"][0]
    slowest = _slowest(capture, str(_LEADING_ROWS))
    of_type = _slowest(capture, "20", "--task-type", row["Task Type"])
    durations = tuple(each[DURATION] for each in slowest["rows"])
    names = (slowest["rows"][0]["Op Name"].rpartition("/")[2], row["OP Type"])
    return Answers(
        rows=int(first["total"]),
        first_duration=row[DURATION],
        durations=durations,
        wait=_table(capture, "--sort", WAIT, "--limit", "1", "--columns", WAIT)["rows"][0][WAIT],
        task_type=row["Task Type"],
        type_rows=int(of_type["matched"]),
        type_duration=next(
            (each[DURATION] for each in of_type["rows"] if each[DURATION] not in durations[:40]), ""
        ),
        texts=tuple(
            (name, int(_table(capture, "--find", name, "--limit", "1")["matched"])) for name in names
        ),
    )


def whole_number(text: str) -> str:
    """A pattern for a number that isn't a part of a longer one."""
    return rf"(?<![\d.,]){re.escape(text)}(?![\d.,])"


def _slowest(capture: Path, limit: str, *more: str) -> dict[str, Any]:
    return _table(capture, "--sort", DURATION, "--limit", limit, "--columns", f"{DURATION},Op Name", *more)


def _table(capture: Path, *arguments: str) -> dict[str, Any]:
    """``prof-tui table`` of op_summary, with numbers as the text that they are written as."""
    command = [sys.executable, "-m", "prof_tui", "table", str(capture), "op_summary", "--format", "json"]
    run = subprocess.run([*command, *arguments], cwd=REPOSITORY, check=True, capture_output=True)
    answer: dict[str, Any] = json.loads(run.stdout, parse_float=str, parse_int=str)
    return answer
