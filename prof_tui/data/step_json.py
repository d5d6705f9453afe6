"""The step trace read from a step_trace JSON timeline, where an export has no step_trace CSV.

The JSON holds the same numbers: an "Iteration k" bar per iteration with FP Start, BP End and Iteration
End among its arguments, bars for FP to BP, refresh and each reduce, and a flow whose end carries Data
Aug Bound (formats.md sections 2 and 4; the unit in an argument's name is wrong in places, so lengths
are taken from ``dur``, which is always microseconds).
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from prof_tui.data.cell_values import to_ns
from prof_tui.words import NOT_AVAILABLE, microseconds

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

_MODEL = re.compile(r"Model ID:\s*(\d+)")


@dataclass
class _Iteration:
    cells: dict[str, str] = field(default_factory=dict)
    reduces: list[tuple[str, str]] = field(default_factory=list)


def step_rows(text: str) -> tuple[list[str], list[list[str]]]:
    """Headers and rows of the step trace that a JSON timeline holds, by model and iteration.

    Raises ValueError when the text is no JSON.
    """
    events = _events(json.loads(text, parse_float=Decimal))
    models = _models(events)
    found: dict[tuple[str, int], _Iteration] = {}
    for event in events:
        _take(event, models, found)
    widest = max((len(item.reduces) for item in found.values()), default=0)
    headers = [*FIXED_HEADERS, *REDUCE_HEADERS * widest]
    ordered = sorted(found.items(), key=lambda item: (_number(item[0][0]), item[0][1]))
    rows = [
        _row(model, number, item, widest)
        for (model, number), item in ordered
        if "Iteration End(us)" in item.cells
    ]
    return headers, rows


def _number(text: str) -> int:
    return int(text) if text.isdigit() else -1


def _events(loaded: Any) -> list[Mapping[str, Any]]:
    if isinstance(loaded, Mapping):
        loaded = loaded.get("traceEvents") or loaded.get("data") or []
    return [event for event in loaded if isinstance(event, Mapping)] if isinstance(loaded, list) else []


def _models(events: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Model ID by (pid, tid), from the names of the threads."""
    models = {}
    for event in events:
        if event.get("ph") == "M" and event.get("name") in ("thread_name", "process_name"):
            match = _MODEL.search(str(_args(event).get("name", "")))
            if match:
                models[_lane(event)] = match.group(1)
    return models


def _args(event: Mapping[str, Any]) -> Mapping[str, Any]:
    args = event.get("args")
    return args if isinstance(args, Mapping) else {}


def _lane(event: Mapping[str, Any]) -> tuple[str, str]:
    """Process and thread, as numbers or texts."""
    return str(event.get("pid")), str(event.get("tid"))


def _take(
    event: Mapping[str, Any], models: Mapping[tuple[str, str], str], found: dict[tuple[str, int], _Iteration]
) -> None:
    args = _args(event)
    name = str(event.get("name", ""))
    number = re.search(
        r"^(?:Iteration|FP_BP Time|Iteration Refresh|Data_aug Bound) (\d+)$|^Reduce_(\d+)_", name
    )
    if not number:
        return
    model = models.get(_lane(event), NOT_AVAILABLE)
    iteration = found.setdefault((model, int(number.group(1) or number.group(2))), _Iteration())
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


def _row(model: str, number: int, iteration: _Iteration, widest: int) -> list[str]:
    cells = {**iteration.cells, "Iteration ID": str(number), "Model ID": model}
    row = [cells.get(header, NOT_AVAILABLE) for header in FIXED_HEADERS]
    for i in range(widest):
        row += iteration.reduces[i] if i < len(iteration.reduces) else (NOT_AVAILABLE, NOT_AVAILABLE)
    return row
