"""What the device did, in numbers that are drawn and written; how they are found out is in ``inside``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TypeTime:
    """The ops of one Task Type."""

    task_type: str
    ops: int
    busy_ns: int
    """The union of its ops: what it takes of the time, however many run beside each other."""


@dataclass(frozen=True)
class Inside:
    """One device: medians over its iterations, or the whole capture where there are none."""

    device: int | None
    iterations: int | None
    """How many hold ops; None for the whole capture."""
    window_ns: int
    ops: int
    busy_ns: int
    idle_ns: int
    types: tuple[TypeTime, ...]
    """Longest first; they overlap, so their sum may pass ``busy_ns``."""
    communication_ns: int | None
    """The union of communication; None where there is none."""
    uncovered_ns: int | None
    """The part of it in which nothing else ran."""
    placed: str
    """By what ops are taken to be in an iteration; empty for the whole capture."""
    span_ns: int
    """From the first start to the last end of all ops of the device."""
    out_of_line: int = 0
    """How many more iterations hold ops and are left out, since their period is out of line."""
    notices: tuple[str, ...] = ()
