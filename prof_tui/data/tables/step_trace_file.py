"""The step trace read from a step_trace JSON timeline, where an export has no step_trace CSV.

The JSON holds the same numbers: an "Iteration k" bar per iteration with FP Start, BP End and Iteration
End among its arguments, bars for FP to BP, refresh and each reduce, and a flow whose end carries Data
Aug Bound (formats.md sections 2 and 4; the unit in an argument's name is wrong in places, so lengths
are taken from ``dur``, which is always microseconds).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from prof_tui.data.tables.cells import is_wrapped, repair_wrapped, to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.words import NOT_AVAILABLE, counted, microseconds

FIXED_HEADERS = (
    "Iteration ID",
    "FP Start(us)",
    "BP End(us)",
    "Iteration End(us)",
    "Iteration Time(us)",
    "FP to BP Time(us)",
    "Iteration Refresh(us)",
    "Data Aug Bound(us)",
    "Model ID",
)
REDUCE_HEADERS = ("Reduce Start(us)", "Reduce Duration(us)")

_DEVICE = "Device_id"

_MODEL = re.compile(r"Model ID:\s*(\d+)")
_NPU = re.compile(r"NPU (\d+)")

_Key = tuple[str, str, int]
"""Device, Model ID, Iteration ID; N/A for what the timeline doesn't say."""


@dataclass
class _Iteration:
    cells: dict[str, str] = field(default_factory=dict)
    reduces: list[tuple[str, str]] = field(default_factory=list)


def step_rows(text: str) -> tuple[list[str], list[list[str]]]:
    """Headers and rows of the step trace that a JSON timeline holds, by device, model and iteration.

    Device_id is among the headers where the timeline tells devices apart.  Raises ValueError when the
    text is not JSON.
    """
    events = _events(json.loads(text, parse_float=Decimal))
    places = _Places(events)
    found: dict[_Key, _Iteration] = {}
    for event in events:
        _take(event, places, found)
    widest = max((len(item.reduces) for item in found.values()), default=0)
    device = [_DEVICE] if places.devices else []
    ordered = sorted(found.items(), key=lambda item: (_number(item[0][0]), _number(item[0][1]), item[0][2]))
    rows = [
        [*(key[:1] if device else ()), *_row(key, item, widest)]
        for key, item in ordered
        if "Iteration End(us)" in item.cells
    ]
    return [*device, *FIXED_HEADERS, *REDUCE_HEADERS * widest], rows


def _number(text: str) -> int:
    return int(text) if text.isdigit() else -1


def _events(loaded: Any) -> list[Mapping[str, Any]]:
    if isinstance(loaded, Mapping):
        loaded = loaded.get("traceEvents") or loaded.get("data") or []
    return [event for event in loaded if isinstance(event, Mapping)] if isinstance(loaded, list) else []


class _Places:
    """Which device a process is of, and which model a thread: from the events that name them."""

    def __init__(self, events: Iterable[Mapping[str, Any]]) -> None:
        self.devices: dict[str, str] = {}
        self._models: dict[tuple[str, str], str] = {}
        for event in events:
            if event.get("ph") != "M":
                continue
            name, args = event.get("name"), _args(event)
            if match := _MODEL.search(str(args.get("name", ""))):
                self._models[_lane(event)] = match.group(1)
            if name == "process_labels" and (match := _NPU.fullmatch(str(args.get("labels", "")))):
                self.devices[_lane(event)[0]] = match.group(1)

    def of(self, event: Mapping[str, Any]) -> tuple[str, str]:
        """Device and Model ID."""
        lane = _lane(event)
        return self.devices.get(lane[0], NOT_AVAILABLE), self._models.get(lane, NOT_AVAILABLE)


def _args(event: Mapping[str, Any]) -> Mapping[str, Any]:
    args = event.get("args")
    return args if isinstance(args, Mapping) else {}


def _lane(event: Mapping[str, Any]) -> tuple[str, str]:
    """Process and thread, as numbers or texts."""
    return str(event.get("pid")), str(event.get("tid"))


def _take(event: Mapping[str, Any], places: _Places, found: dict[_Key, _Iteration]) -> None:
    args = _args(event)
    name = str(event.get("name", ""))
    number = re.search(
        r"^(?:Iteration|FP_BP Time|Iteration Refresh|Data_aug Bound) (\d+)$|^Reduce_(\d+)_", name
    )
    if not number:
        return
    key = (*places.of(event), int(number.group(1) or number.group(2)))
    iteration = found.setdefault(key, _Iteration())
    cells, length = iteration.cells, _us(event.get("dur"))
    if name.startswith("Iteration Refresh"):
        cells["Iteration Refresh(us)"] = length
    elif name.startswith("Iteration"):
        cells["Iteration Time(us)"] = length
        for header in ("FP Start", "BP End", "Iteration End"):
            cells[f"{header}(us)"] = _us(args.get(header))
    elif name.startswith("FP_BP"):
        cells["FP to BP Time(us)"] = length
    elif name.startswith("Reduce"):
        iteration.reduces.append((_us(event.get("ts")), length))
    elif "Data_aug Bound(us)" in args:
        cells["Data Aug Bound(us)"] = _us(args["Data_aug Bound(us)"])


def _us(value: Any) -> str:
    """A time of the JSON, number or text, as microseconds with three decimals."""
    return microseconds(to_ns(str(value), 1000)) if value is not None else NOT_AVAILABLE


def _row(key: _Key, iteration: _Iteration, widest: int) -> list[str]:
    cells = {**iteration.cells, "Iteration ID": str(key[2]), "Model ID": key[1]}
    row = [cells.get(header, NOT_AVAILABLE) for header in FIXED_HEADERS]
    for i in range(widest):
        row += iteration.reduces[i] if i < len(iteration.reduces) else (NOT_AVAILABLE, NOT_AVAILABLE)
    return row


_FOLLOWING = ("fp_start", "bp_end", "fp_to_bp", "refresh", "data_aug")


def repair_steps(columns: Sequence[Column], rows: list[list[str]], tally: Tally) -> None:
    """Replace zeros that stand for N/A and wrapped durations, in place; ``tally`` says how many cells."""
    _repair_zeros(columns, rows, tally)
    durations = [(place, column) for place, column in enumerate(columns) if column.kind == "duration"]
    repaired = 0
    for row in rows:
        for place, column in durations:
            if is_wrapped(row[place], column.ns_per_unit):
                row[place] = repair_wrapped(column, row[place])
                repaired += 1
    if repaired:
        tally.notes.append(
            counted(
                "{n} wrapped unsigned number is shown as what it stands for",
                "{n} wrapped unsigned numbers are shown as what they stand for",
                repaired,
            )
        )


def _repair_zeros(columns: Sequence[Column], rows: list[list[str]], tally: Tally) -> None:
    place = {column.id: i for i, column in reversed(list(enumerate(columns)))}
    firsts = _first_rows(rows, place)
    repaired = 0
    for number, row in enumerate(rows):
        ids = _FOLLOWING if _zero(row, place, "fp_start") else ("data_aug",) if number in firsts else ()
        for id_ in ids:
            if _zero(row, place, id_):
                row[place[id_]] = NOT_AVAILABLE
                repaired += 1
    if repaired:
        tally.notes.append(
            counted(
                "{n} zero that stands for a missing time is shown as N/A",
                "{n} zeros that stand for missing times are shown as N/A",
                repaired,
            )
        )


def _first_rows(rows: Sequence[Sequence[str]], place: dict[str, int]) -> set[int]:
    """Places of the rows with the lowest Iteration ID of their device and model."""
    firsts: dict[tuple[str, str], tuple[int, int]] = {}
    for number, row in enumerate(rows):
        model = (_cell(row, place, "device_id"), _cell(row, place, "model_id"))
        iteration = _cell(row, place, "iteration_id")
        this = (int(iteration) if iteration.isdecimal() else 0, number)
        firsts[model] = min(this, firsts.get(model, this))
    return {number for _iteration, number in firsts.values()}


def _cell(row: Sequence[str], place: dict[str, int], id_: str) -> str:
    return row[place[id_]] if id_ in place else ""


def _zero(row: Sequence[str], place: dict[str, int], id_: str) -> bool:
    return id_ in place and to_ns(row[place[id_]], 1000) == 0
