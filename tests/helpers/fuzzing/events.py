"""Timelines damaged in their structure."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Event = dict[str, Any]

VALUES: tuple[Any, ...] = (
    *(None, "", "N/A", True, [], {}, [[]], {"name": {}}, -1, 0, 1e308, 10**30, -(10**30), 2**63, 0.1),
    *(
        "1790000000000100.5",
        "1e400",
        "nan",
        "x" * 200_000,
        "\x1b[2J",
        "[red]",
        "卷积",
        "\ud800",
        "18446744073709551615",
    ),
)
"""What may stand for any value."""


def drop_events(random: Random, events: list[Event]) -> None:
    first = random.randrange(len(events))
    del events[first : first + random.choice((1, 5, 50))]


def repeat_events(random: Random, events: list[Event]) -> None:
    events += deepcopy(random.sample(events, min(len(events), random.choice((1, 10, 1000)))))


def swap_events(random: Random, events: list[Event]) -> None:
    random.shuffle(events)


def drop_key(random: Random, events: list[Event]) -> None:
    key = random.choice(("name", "ph", "pid", "tid", "ts", "dur", "args", "id", "cat"))
    for event in _some(random, events):
        event.pop(key, None)


def odd_value(random: Random, events: list[Event]) -> None:
    value = random.choice(VALUES)
    for event in _some(random, events):
        event[random.choice(list(event) or ["name"])] = value


def odd_argument(random: Random, events: list[Event]) -> None:
    value = random.choice(VALUES)
    for event in _some(random, events):
        if isinstance(event.get("args"), dict) and event["args"]:
            event["args"][random.choice(list(event["args"]))] = value


def swap_layers(random: Random, events: list[Event]) -> None:
    pids = sorted({str(event.get("pid")) for event in events})
    other = dict(zip(pids, random.sample(pids, len(pids)), strict=True))
    for event in events:
        if event.get("ph") == "M" and str(event.get("pid")).isdigit():
            event["pid"] = int(other[str(event["pid"])])


def far_times(random: Random, events: list[Event]) -> None:
    shift = random.choice((-(10**16), 10**15, 10**18, 0.5))
    for event in _some(random, events):
        if isinstance(event.get("ts"), int | float):
            event["ts"] += shift


def _some(random: Random, events: list[Event]) -> list[Event]:
    return random.sample(events, min(len(events), random.choice((1, 3, 1000))))


CHANGES: tuple[Callable[[Random, list[Event]], None], ...] = (
    *(drop_events, repeat_events, swap_events, drop_key, odd_value, odd_value, odd_argument),
    *(swap_layers, far_times),
)


def written(random: Random, events: list[Event]) -> str:
    """The events as a file: as an array, in an object, without its end, deep, or as an error of msprof."""
    text = json.dumps(events)
    forms: tuple[Callable[[], str], ...] = (
        *[lambda: text] * 6,
        lambda: json.dumps({"traceEvents": events}),
        lambda: json.dumps({"status": 0, "data": events}),
        lambda: '{"status": 1, "info": "Parse op statistic data failed!"}',
        lambda: text[: random.randrange(len(text))],
        lambda: (
            text[: len(text) // 2]
            + random.choice(("}", "]", ",,", '"', "\0", "NaN"))
            + text[len(text) // 2 :]
        ),
        lambda: "[" * random.choice((50, 100_000)) + text,
        lambda: text[:-1] + ',{"name":' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}]",
        lambda: text + text,
        lambda: text.replace(", ", ",\r\n"),
    )
    return random.choice(forms)()
