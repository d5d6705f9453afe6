"""Which unit a header without one means: settled per file, here and nowhere else.

One header had three units over time (formats.md section 2, quirks 3 and 4): Task Start Time was ns,
later us; the times of step_trace were ticks of a hardware counter, later us, with a while in between
when only Iteration End was us.  The file's own durations, which always are us, tell which it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from statistics import median

from prof_tui.data.capture.notes import chip_of, noted_text, read_device_notes
from prof_tui.data.tables.columns import unit_of
from prof_tui.data.tables.known_columns import spec_for

TICKS = "ticks"
"""The unit of step-trace times that count a hardware counter."""

_FEWEST_TICKS_PER_US = 8
"""Counters run at 19.2 MHz and more; less is an iteration that is missing between two others."""

_NS_FROM = Decimal(10) ** 17
"""Epoch microseconds stay below this until the year 5138; epoch nanoseconds are above it."""


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text.strip(' \t"'))
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _by_id(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[Decimal | None]]:
    """Numbers of the columns that are in the table of columns, by id; the first of a repeated one."""
    found: dict[str, list[Decimal | None]] = {}
    for i, header in enumerate(headers):
        cells = [_number(row[i]) if i < len(row) else None for row in rows]
        found.setdefault(spec_for(header).id, cells)
    return found


def settle_units(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Units by header for the times whose header has none, from a sample of the file's rows."""
    open_headers = [header for header in headers if spec_for(header).kind == "time" and not unit_of(header)]
    if not open_headers:
        return {}
    values = _by_id(headers, rows)
    steps = {"fp_start", "bp_end", "iteration_end", "reduce_start"} if "iteration_end" in values else set()
    units = {}
    for header in open_headers:
        id_ = spec_for(header).id
        if id_ in steps:
            units[header] = _step_unit(id_, values)
        elif id_ == "task_start":
            units[header] = _start_unit(values)
        else:
            units[header] = _by_magnitude(values.get(id_, []))
    return units


def _step_unit(id_: str, values: Mapping[str, list[Decimal | None]]) -> str:
    """us where the distances between times are those that the durations state, else ticks."""
    if id_ == "iteration_end":
        ratio = _ratio(_end_distances(values)) or _ratio(_refreshes(values))
    else:
        ratio = _ratio(
            zip(_differences(values, "bp_end", "fp_start"), values.get("fp_to_bp", []), strict=False)
        )
    return "us" if ratio is None or ratio < _FEWEST_TICKS_PER_US else TICKS


def _differences(values: Mapping[str, list[Decimal | None]], last: str, first: str) -> list[Decimal | None]:
    pairs = zip(values.get(last, []), values.get(first, []), strict=False)
    return [None if a is None or b is None else a - b for a, b in pairs]


def _refreshes(values: Mapping[str, list[Decimal | None]]) -> list[tuple[Decimal | None, Decimal | None]]:
    return list(zip(_differences(values, "iteration_end", "bp_end"), values.get("refresh", []), strict=False))


def _end_distances(values: Mapping[str, list[Decimal | None]]) -> list[tuple[Decimal | None, Decimal | None]]:
    """Distance to the previous row's Iteration End beside Data Aug Bound + FP to BP + Refresh."""
    ends = values["iteration_end"]
    parts = [values.get(id_, []) for id_ in ("data_aug", "fp_to_bp", "refresh")]
    pairs = []
    for i in range(1, len(ends)):
        here, before = ends[i], ends[i - 1]
        lengths = [part[i] for part in parts if i < len(part)]
        known = [length for length in lengths if length is not None]
        if here is not None and before is not None and len(known) == len(parts):
            pairs.append((here - before, sum(known, Decimal(0))))
    return list(pairs)


def _ratio(pairs: Iterable[tuple[Decimal | None, Decimal | None]]) -> Decimal | None:
    ratios = [a / b for a, b in pairs if a is not None and b is not None and a > 0 and b > 0]
    return median(ratios) if ratios else None


def _start_unit(values: Mapping[str, list[Decimal | None]]) -> str:
    """us or ns: decimals mean us; else what makes start + duration + wait the next start."""
    starts = values["task_start"]
    if any(start is not None and start != start.to_integral_value() for start in starts):
        return "us"
    durations, waits = values.get("task_duration", []), values.get("task_wait", [])
    pairs = []
    for i in range(1, min(len(starts), len(durations), len(waits))):
        here, before, length, wait = starts[i], starts[i - 1], durations[i - 1], waits[i]
        if here is not None and before is not None and length is not None and wait:
            pairs.append((here - before, length + wait))
    ratio = _ratio(pairs)
    if ratio is not None:
        return "ns" if ratio > 30 else "us"
    return _by_magnitude(starts)


def _by_magnitude(values: Sequence[Decimal | None]) -> str:
    largest = max((value for value in values if value is not None), default=Decimal(0))
    return "ns" if largest >= _NS_FROM or Decimal(10) ** 12 <= largest < Decimal(10) ** 15 else "us"


_KEY_VALUE = re.compile(r"^\s*(\w+)\s*[:=]\s*(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class TickClock:
    """Turns ticks of one device's counter into ns of CLOCK_MONOTONIC_RAW."""

    cntvct: int
    ticks_per_us: Decimal
    monotonic_raw_ns: int

    def ns(self, ticks: int) -> int:
        return int((ticks - self.cntvct) * 1000 / self.ticks_per_us) + self.monotonic_raw_ns


def tick_clock(capture: Path, device: int) -> TickClock | None:
    """The clock of a device, or None where its notes are missing or unreadable."""
    folder = capture / f"device_{device}"
    frequency = _frequency(capture, device)
    counter = _noted(folder / f"dev_start.log.{device}", "cntvct")
    raw = _noted(folder / f"host_start.log.{device}", "clock_monotonic_raw")
    if frequency is None or counter is None or raw is None:
        return None
    return TickClock(counter, frequency, raw)


def _frequency(capture: Path, device: int) -> Decimal | None:
    info = read_device_notes(capture, device, "info.json")
    try:
        value = Decimal(noted_text(chip_of(info), "hwts_frequency"))
    except InvalidOperation:
        return None
    return value if value > 0 else None


def _noted(path: Path, key: str) -> int | None:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return None
    return next((int(value) for name, value in _pairs(text) if name == key), None)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    yield from ((match[1], match[2]) for match in _KEY_VALUE.finditer(text))
