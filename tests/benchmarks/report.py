"""What a benchmark prints: the machine, and a line per figure beside its baseline and its budget."""

import os
import platform
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median

from tests.benchmarks.terminal import COLUMNS, LINES

Figures = defaultdict[str, list[float]]
"""Seconds, bytes or bytes per second by figure, one or more a run."""

_SCALES = {"ms": 1e3, "E": 1e3, "MB": 1e-6, "MB/s": 1e-6}
_PRINTED = {"E": "ms"}
_TABLE = "{:<46}{:>10}{:>12}{:>20}{:>12}{:>9}{:>14}  {}"


@dataclass(frozen=True)
class Line:
    """A figure of something; ``subject`` says of what.

    ``budget`` is in ``unit``: ms, MB, MB/s, or E for multiples of the baseline; of MB/s it is the least.
    """

    name: str
    subject: str
    values: Sequence[float]
    unit: str
    budget: float | None = None
    baseline: float | None = None
    """In the same unit as the values; None where there is none."""
    portion: float = 0.5
    """The portion of the values that the printed one is not exceeded by: 0.5 for the median."""

    @property
    def value(self) -> float:
        return portion_of(self.values, self.portion)

    def __str__(self) -> str:
        scale, printed = _SCALES[self.unit], _PRINTED.get(self.unit, self.unit)
        ratio = self.value / self.baseline if self.baseline else None
        return _TABLE.format(
            self.name,
            self.subject,
            f"{self.value * scale:,.0f} {printed}",
            f"{min(self.values) * scale:,.0f} to {max(self.values) * scale:,.0f}",
            "" if self.baseline is None else f"{self.baseline * scale:,.0f} {printed}",
            "" if ratio is None else f"{ratio:.2f}",
            "" if self.budget is None else f"{self.budget:,.0f} {self.unit}",
            self._verdict(scale, ratio),
        ).rstrip()

    def _verdict(self, scale: float, ratio: float | None) -> str:
        if self.budget is None:
            return ""
        compared = ratio or 0.0 if self.unit == "E" else self.value * scale
        kept = compared >= self.budget if self.unit == "MB/s" else compared <= self.budget
        return "within" if kept else "over"


def portion_of(values: Iterable[float], portion: float) -> float:
    """What this portion of the values doesn't exceed; the median for 0.5, 0 for no values."""
    in_order = sorted(values)
    if not in_order:
        return 0.0
    if portion == 0.5:
        return median(in_order)
    tenths = round(portion * 10)
    return in_order[-(-tenths * len(in_order) // 10) - 1]


def table(subject: str, lines: Iterable[Line]) -> Iterator[str]:
    """The header, then the lines that have values; ``subject`` is the header of their second column."""
    yield _TABLE.format("figure", subject, "measured", "from to", "baseline", "ratio", "budget", "verdict")
    for line in lines:
        if line.values:
            yield str(line)


def machine() -> str:
    """What was measured with and on."""
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    versions = ", ".join(f"{name} {version(name)}" for name in ("polars", "textual", "rich"))
    return (
        f"{os.cpu_count()} cores, load {load}, Python {platform.python_version()}, {versions}, "
        f"terminal {COLUMNS}x{LINES}"
    )
