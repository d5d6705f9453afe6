"""A small sound capture damaged at random: its tables, its timelines, its bytes, its files."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.fuzzing import events, sheets
from tests.helpers.traced_capture import traced_capture

_COUNTED = ("op_summary", "op_statistic", "task_time")
"""Types of tables whose rows are those of all their files."""


@dataclass
class Damaged:
    """A damaged capture; ``rows`` has the rows of all files of each table, where that is known."""

    path: Path
    changes: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)


def sound_captures(parent: Path) -> list[Path]:
    """The captures to damage: new layout with host calls, new layout in slices, old layout."""
    run = demo_run(iterations=6)
    return [
        traced_capture(parent / "traced").path,
        write_capture(parent / "slices", run, layout="new", slice_rows=200),
        write_capture(parent / "old", run, layout="old", iterations_exported=(3, 4)),
    ]


def damage(random: Random, sound: Path, parent: Path) -> Damaged:
    """A copy of a sound capture in ``parent`` with one to three changes."""
    found = Damaged(parent / sound.name)
    shutil.copytree(sound, found.path)
    kind = random.choice((_tables, _tables, _tables, _timelines, _timelines, _bytes, _files))
    kind(random, found)
    return found


def _of(found: Damaged, pattern: str) -> list[Path]:
    return sorted(path for path in found.path.rglob(pattern) if path.is_file())


def _tables(random: Random, found: Damaged) -> None:
    paths = _of(found, "*.csv")
    rows = {path: len(sheets.read_sheet(path).rows) for path in paths}
    for path in random.sample(paths, random.choice((1, 1, 2))):
        sheet = sheets.read_sheet(path)
        for change in random.sample(sheets.CHANGES, random.choice((1, 2, 3))):
            change(random, sheet)
            found.changes.append(f"{path.name} {change.__name__}")
        data, rows[path] = sheet.text_and_rows()
        path.write_bytes(data)
    for name in _COUNTED:
        found.rows[name] = sum(own for path, own in rows.items() if path.name.startswith(name))


def _timelines(random: Random, found: Damaged) -> None:
    path = random.choice(_of(found, "msprof_*.json") + _of(found, "step_trace_*.json"))
    loaded = json.loads(path.read_text())
    for change in random.sample(events.CHANGES, random.choice((1, 1, 2))):
        change(random, loaded)
        found.changes.append(f"{path.name} {change.__name__}")
    path.write_text(events.written(random, loaded), "utf-8", "surrogatepass")


def _bytes(random: Random, found: Damaged) -> None:
    for path in random.sample(_of(found, "*"), random.choice((1, 3))):
        data = bytearray(path.read_bytes())
        at = random.randrange(len(data) + 1)
        length = random.choice((1, 10, 1000))
        piece = random.choice(
            (random.randbytes(length), b"\0" * length, b"\xff" * length, b"", b"\n", b'"', b",")
        )
        how = random.choice(("replace", "insert", "cut", "repeat"))
        if how == "cut":
            del data[at:]
        elif how == "repeat":
            data[at:at] = data[at : at + length * 10]
        else:
            data[at : at + (length if how == "replace" else 0)] = piece
        path.write_bytes(bytes(data))
        found.changes.append(f"{path.name} bytes: {how}")


def _files(random: Random, found: Damaged) -> None:
    one, other = random.sample(_of(found, "*.csv") + _of(found, "*.json"), 2)
    how = random.choice(("remove", "empty", "swap", "folder", "copy"))
    if how == "swap":
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)
    elif how == "copy":
        shutil.copy(one, one.with_name(f"{one.stem} (1){one.suffix}"))
    else:
        one.unlink()
        if how == "empty":
            one.touch()
        elif how == "folder":
            one.mkdir()
    found.changes.append(f"{one.name} {how} {other.name if how == 'swap' else ''}".rstrip())
