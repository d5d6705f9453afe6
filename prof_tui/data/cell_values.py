"""One cell's text: cleaned, and as an exact number.

Times become Int64 ns from the text, never through a float: 19-digit microseconds do not fit one
(quirk 2).  ``column_values`` does the same for whole columns.
"""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from prof_tui.data.columns import Column
from prof_tui.words import NOT_AVAILABLE, microseconds

PADDING = ' \t\r"'
"""What the exporters leave around a value: a TAB behind times, quotes around shapes (quirks 1 and 5)."""

MISSING = frozenset({"N/A", "NA", "n/a", "None", "null", "NULL", "-", ""})
"""Spellings of no value in a column of numbers; ids such as 4294967295 stay what the file says."""

LINE_BREAK = "\x1f"
"""Stands for a line break inside a quoted cell while a file is read line by line."""

WRAP = 1 << 64
_WRAPPED_DIGITS = "18446744073"

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def clean(text: str) -> str:
    """A cell without what the exporters leave around values."""
    return text.strip(PADDING).replace(LINE_BREAK, "\n")


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def to_ns(text: str, ns_per_unit: int) -> int | None:
    """A time or duration in whole ns, rounded where the text has more digits; None when there is no number.

    A wrapped unsigned number (start minus end in uint64, quirk 15) comes back as the negative number
    that it stands for.
    """
    if text in MISSING:
        return None
    try:
        ns = int((Decimal(text) * ns_per_unit).to_integral_value(ROUND_HALF_UP))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return ns - WRAP if WRAP // 2 <= ns < WRAP else ns


def is_wrapped(text: str) -> bool:
    """Whether this duration is a negative number that went through an unsigned 64-bit one."""
    return text.startswith(_WRAPPED_DIGITS) and len(text) > len(_WRAPPED_DIGITS)


def repair_wrapped(column: Column, text: str) -> str:
    """A wrapped duration as the number that it stands for, in microseconds.

    The C++ exporter computes a first Reduce Duration as start minus end (quirk 15): its sign is turned.
    """
    ns = to_ns(text, column.ns_per_unit)
    if ns is None:
        return NOT_AVAILABLE
    return microseconds(-ns if column.id == "reduce_duration" else ns)
