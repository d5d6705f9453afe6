"""The exact way through a timeline's JSON: event by event, tolerant of what exporters leave, and of damage.

Containers are a bare array, ``{"traceEvents": [...]}`` and ``{"status": 0, "data": [...]}`` (formats.md
section 4); commas too many, NaN and a missing end are no reason to refuse a file (quirks.md 20).  Numbers
stay the texts that they are in the file.  Slow, so only for the head and the tail of a file and for blocks
that the quick way refuses.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

Stage = Literal["start", "object", "events", "after", "stopped"]
"""How far the container was read: ``object`` is inside its braces, ``after`` behind its last bracket."""

_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_BORDER = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_EVENT_KEYS = ("traceEvents", "data")
_CUT = 12
"""A token cut off by the end of the text fails at most so many characters before it."""
_MOST_DAMAGES = 100
"""Damaged places of a file that are skipped; behind one more the rest is left out."""


_TOO_DEEP = "nested too deeply"


class CutOffError(Exception):
    """The text ends within a token."""


@dataclass(frozen=True)
class Found:
    """An event and where its text stands, in characters of the scanned text."""

    begin: int
    end: int
    values: dict[str, Any]


@dataclass
class Problem:
    """What is wrong at a place of the file."""

    kind: Literal["cut", "damage", "glued", "not json"]
    at: int
    """Characters into the scanned text."""


@dataclass
class ScanState:
    """What has to be known to go on with the next piece of the file."""

    stage: Stage = "start"
    objects: int = 0
    """Braces of the container that are open."""
    arrays: int = 0
    """Brackets that are open."""
    lost: bool = False
    """Whether the next clean border of events is looked for, after damage."""
    damages: int = 0
    info: str = ""
    """What a failed export says about itself: ``{"status": 1, "info": …}``."""


@dataclass
class Scan:
    """What one piece held."""

    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    consumed: int = 0
    """Characters that need not be looked at again."""


def decoder() -> json.JSONDecoder:
    """JSON with every number, NaN and Infinity as its own text, control characters in texts allowed."""
    return json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, strict=False)


_decode = decoder().raw_decode


def scan(text: str, state: ScanState, *, at_end: bool) -> Scan:
    """The events of ``text``, the piece of the file that follows what was consumed; moves ``state`` on."""
    result = Scan()
    try:
        while state.stage != "stopped" and _step(text, state, result, at_end):
            pass
    except CutOffError:
        if at_end:
            result.problems.append(Problem("cut", len(text)))
            state.stage, result.consumed = "stopped", len(text)
    if state.stage == "stopped":
        result.consumed = len(text)
    elif at_end and state.stage != "after":
        result.problems.append(Problem("cut" if state.stage != "start" else "not json", len(text)))
        state.stage = "stopped"
    return result


def _step(text: str, state: ScanState, result: Scan, at_end: bool) -> bool:
    """Read one token; False at the end of the text."""
    if state.lost:
        return _find_border(text, state, result, at_end)
    blank = _BLANK if state.stage == "start" else _BETWEEN
    at = _matched(blank, text, result.consumed)
    result.consumed = at
    if at >= len(text):
        return False
    _STEPS[state.stage](text, at, state, result, at_end)
    return True


def _matched(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _start(text: str, at: int, state: ScanState, result: Scan, _at_end: bool) -> None:
    if text[at] == "[":
        state.stage, state.arrays = "events", 1
    elif text[at] == "{":
        state.stage, state.objects = "object", 1
    elif text[at] == "]":  # of an export without any event only the last character may be there
        state.stage = "after"
    else:
        result.problems.append(Problem("not json", at))
        state.stage = "stopped"
    result.consumed = at + 1


def _after(text: str, at: int, state: ScanState, result: Scan, _at_end: bool) -> None:
    if text[at] not in "[{":
        result.problems.append(Problem("damage", at))
        state.stage = "stopped"
        return
    result.problems.append(Problem("glued", at))
    _start(text, at, state, result, _at_end)


def _object(text: str, at: int, state: ScanState, result: Scan, at_end: bool) -> None:
    """A key of the container and its value, or its end."""
    if text[at] == "}":
        state.objects -= 1
        state.stage = "object" if state.objects else "after"
        result.consumed = at + 1
        return
    try:
        key, end = _value(text, at, at_end)
        colon = _matched(_BLANK, text, end)
        begin = _matched(_BLANK, text, colon + 1)
        if begin >= len(text):
            raise CutOffError
        if text[at] != '"' or text[colon] != ":":
            raise json.JSONDecodeError("no key", text, at)
        _enter(str(key), text, begin, state, result, at_end)
    except json.JSONDecodeError as error:
        result.problems.append(Problem("damage", error.pos))
        state.stage = "stopped"


def _enter(key: str, text: str, begin: int, state: ScanState, result: Scan, at_end: bool) -> None:
    result.consumed = begin + 1
    if text[begin] == "[" and key in _EVENT_KEYS:
        state.stage, state.arrays = "events", 1
    elif text[begin] == "{" and key == "data":
        state.objects += 1
    else:
        value, result.consumed = _value(text, begin, at_end)
        if key == "info":
            state.info = str(value)


def _events(text: str, at: int, state: ScanState, result: Scan, at_end: bool) -> None:
    """An event, or the end of the array."""
    if text[at] == "[":
        state.arrays += 1
        result.consumed = at + 1
    elif text[at] == "]":
        state.arrays -= 1
        if not state.arrays:
            state.stage = "object" if state.objects else "after"
        result.consumed = at + 1
    else:
        try:
            value, end = _value(text, at, at_end)
        except json.JSONDecodeError as error:
            result.problems.append(Problem("damage", error.pos))
            state.lost, state.damages = True, state.damages + 1
            result.consumed = max(at + 1, error.pos - 1)
            return
        if isinstance(value, dict):
            result.found.append(Found(at, end, value))
        result.consumed = end


def _find_border(text: str, state: ScanState, result: Scan, at_end: bool) -> bool:
    """Go to the next event that is whole and follows a comma: what lies before it is left out."""
    if state.damages > _MOST_DAMAGES:
        state.stage = "stopped"
        return False
    for border in _BORDER.finditer(text, result.consumed):
        try:
            value, _end = _value(text, border.end(), at_end)
        except json.JSONDecodeError:
            continue
        except CutOffError:
            result.consumed = border.start()
            raise
        if isinstance(value, dict) and {"ph", "pid", "name"} <= value.keys():
            state.lost = False
            result.consumed = border.end()
            return True
    if at_end:
        state.stage = "stopped"
    result.consumed = max(result.consumed, len(text) - _CUT)
    return False


def _value(text: str, at: int, at_end: bool) -> tuple[Any, int]:
    """The JSON value at a place and its end; CutOffError when the text ends first."""
    try:
        value, end = _decode(text, at)
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or error.pos >= len(text) - _CUT
        if cut and not (at_end and error.pos < len(text) - _CUT and '"' in text[error.pos + 1 :]):
            raise CutOffError from error
        raise
    except RecursionError as error:
        raise json.JSONDecodeError(_TOO_DEEP, text, at) from error
    if end == len(text) and not at_end and text[end - 1] not in '}]"':
        raise CutOffError  # a number may go on
    return value, end


_STEPS = {"start": _start, "object": _object, "events": _events, "after": _after}
