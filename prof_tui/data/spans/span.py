"""Arithmetic of time spans: half open, in ns; spans that only touch don't overlap."""

from collections.abc import Iterable, Sequence

Span = tuple[int, int]
"""Begin and end in nanoseconds, half open."""


def union(spans: Iterable[Span], begin_ns: int | None = None, end_ns: int | None = None) -> list[Span]:
    """The union of the spans, in time order; touching ones joined, empty ones left out.

    Clipped to a window from ``begin_ns`` to ``end_ns``; None: to nothing.
    """
    clipped = (
        (begin if begin_ns is None else max(begin, begin_ns), end if end_ns is None else min(end, end_ns))
        for begin, end in spans
    )
    joined: list[Span] = []
    for begin, end in sorted(span for span in clipped if span[0] < span[1]):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def complement(busy: Sequence[Span], begin_ns: int, end_ns: int) -> list[Span]:
    """What of a window a union leaves free, in time order."""
    ends = [begin_ns, *(end for _begin, end in busy)]
    begins = [*(begin for begin, _end in busy), end_ns]
    return [(end, begin) for end, begin in zip(ends, begins, strict=True) if begin > end]


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans have time in common."""
    return one[0] < other[1] and other[0] < one[1]


def length(spans: Iterable[Span]) -> int:
    """Summed length in ns."""
    return sum(end - begin for begin, end in spans)
