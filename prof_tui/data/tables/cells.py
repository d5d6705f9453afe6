"""One cell's text: cleaned, and as an exact number.

Times become Int64 ns from the text, never through a float: 19-digit microseconds do not fit one
(quirk 2).  ``typed_columns`` does the same for whole columns.
"""

import math
import re
from decimal import ROUND_HALF_UP, Decimal

from prof_tui.data.tables.columns import Column
from prof_tui.words import NOT_AVAILABLE, microseconds

PADDING = ' \t\r"'
"""What the exporters leave around a value: a TAB behind times, quotes around shapes (quirks 1 and 5)."""

MISSING = frozenset({"N/A", "NA", "n/a", "None", "null", "NULL", "-", ""})
"""Spellings of no value in a column of numbers; ids such as 4294967295 stay what the file says."""

LINE_BREAK = "\x1f"
"""Stands for a line break inside a quoted cell while a file is read line by line."""

WRAP = 1 << 64
LARGEST = (1 << 63) - 1
"""The largest Int64."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][+-]?\d{1,4})?", re.ASCII)
_MOST_DIGITS = 22
"""A number with more before its point is no Int64 in any unit; it isn't even worked out."""
_SHORTEST_WRAPPED = len("9223372037")
"""Digits of 2^63 ns in seconds, the coarsest unit: a shorter text is no wrapped number."""


def clean(text: str) -> str:
    """A cell without what the exporters leave around values."""
    text = text.strip(PADDING)
    return text.replace(LINE_BREAK, "\n") if LINE_BREAK in text else text


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def is_grouped(text: str) -> bool:
    """Whether this is a number with thousands separators: ``1,234.500``, but not ``1,234``.

    That may just as well have a decimal comma.
    """
    return "," in text and _GROUPED.fullmatch(text) is not None


def plain(text: str) -> str:
    """A number with thousands separators without them; any other text as it is."""
    return text.replace(",", "") if is_grouped(text) else text


def with_point(text: str) -> str:
    """A number with a decimal comma (``10,5``, ``1.234,5``) with a point; any other text as it is."""
    if "," not in text or not _DECIMAL_COMMA.fullmatch(text):
        return text
    return text.replace(".", "").replace(",", ".")


def to_ns(text: str, ns_per_unit: int) -> int | None:
    """A time or duration in whole ns, halves rounded away from zero; None when there is not a number.

    A wrapped unsigned number (start minus end in uint64, quirk 15) comes back as the negative number
    that it stands for; None for one that an Int64 can't hold.
    """
    ns = _whole_ns(text, ns_per_unit)
    if ns is None:
        return None
    ns = ns - WRAP if LARGEST < ns < WRAP else ns
    return ns if -LARGEST - 1 <= ns <= LARGEST else None


def to_float(text: str) -> float | None:
    """A share or a size; None for what is no number or too large for one."""
    text = plain(text)
    number = float(text) if is_number(text) else math.inf
    return number if math.isfinite(number) else None


def to_id(text: str) -> int | None:
    """An id: ``to_int``, but for one in exponent form, whose digits a spreadsheet rounded away (quirk 41)."""
    return None if has_exponent(text) else to_int(text)


def has_exponent(text: str) -> bool:
    """Whether a number is written as a power of ten."""
    return "e" in text.lower() and is_number(text)


def is_rounded(text: str) -> bool:
    """Whether a number is written as a power of ten with fewer digits than it has before its point."""
    if not has_exponent(text):
        return False
    _sign, digits, exponent = Decimal(text).as_tuple()
    return isinstance(exponent, int) and exponent > 0 and digits != (0,)


def to_int(text: str) -> int | None:
    """A count; UINT64_MAX and its like (quirk 8) become the largest Int64, to sort last."""
    text = plain(text)
    if not is_number(text):
        return None
    number = Decimal(text)
    if number.adjusted() > _MOST_DIGITS:
        return LARGEST if number > 0 else None
    whole = int(number)
    return None if whole < -LARGEST - 1 else min(whole, LARGEST)


def _whole_ns(text: str, ns_per_unit: int) -> int | None:
    text = plain(text)
    if not is_number(text):
        return None
    number = Decimal(text)
    if number.adjusted() > _MOST_DIGITS:
        return None
    return int((number * ns_per_unit).to_integral_value(ROUND_HALF_UP))


def is_beyond(text: str) -> bool:
    """Whether a text that became no value is a number, and then one above all that a column can hold."""
    text = plain(text)
    return not text.startswith("-") and is_number(text)


def is_wrapped(text: str, ns_per_unit: int) -> bool:
    """Whether this duration is a negative number that went through an unsigned 64-bit one."""
    if len(text) < _SHORTEST_WRAPPED or text.startswith("-"):
        return False
    ns = _whole_ns(text, ns_per_unit)
    return ns is not None and LARGEST < ns < WRAP


def repair_wrapped(column: Column, text: str) -> str:
    """A wrapped duration as the number that it stands for, in the column's unit.

    The C++ exporter computes a first Reduce Duration as start minus end (quirk 15): its sign is turned.
    """
    ns = to_ns(text, column.ns_per_unit)
    if ns is None:
        return NOT_AVAILABLE
    ns = -ns if column.id == "reduce_duration" else ns
    return microseconds(ns) if column.unit == "us" else str(Decimal(ns) / column.ns_per_unit)
