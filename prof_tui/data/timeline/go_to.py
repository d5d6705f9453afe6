"""What a user types to go somewhere in a timeline: a time, an iteration, or a part of a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from prof_tui.data.spans.span import Span

_UNITS_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
_TIME = re.compile(r"([+-]?\d{1,19}(?:\.\d{1,9})?)\s*(ns|us|ms|s)?", re.ASCII)
_ITERATION = re.compile(r"(?:iteration|iter)\s+(\d{1,18})", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class GoToTime:
    at_ns: int
    """Absolute."""


@dataclass(frozen=True)
class GoToIteration:
    iteration: int


@dataclass(frozen=True)
class GoToName:
    text: str


GoTo = GoToTime | GoToIteration | GoToName


def parse_go_to(text: str, zero_ns: int, span: Span) -> GoTo:
    """A number is a time, in us unless ns, us, ms or s follows: from ``zero_ns`` on, or absolute where it
    lies within ``span``; ``iteration 5`` is that one; anything else is a part of a name."""
    text = text.strip()
    if iteration := _ITERATION.fullmatch(text):
        return GoToIteration(int(iteration.group(1)))
    if time := _TIME.fullmatch(text):
        ns = int(Decimal(time.group(1)) * _UNITS_NS[time.group(2) or "us"])
        return GoToTime(ns if span[0] <= ns <= span[1] else zero_ns + ns)
    return GoToName(text)
