"""Blocks of any size, cut anywhere, give the events that the json module finds, where their text stands."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.timeline.read import blocks as file_parts
from prof_tui.data.timeline.read.blocks import FileParts
from prof_tui.data.timeline.read.parts import Dictionaries

texts = st.text(alphabet='{}[],":\\ a\n卷', max_size=12)
values = st.recursive(
    st.one_of(texts, st.integers(), st.floats(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
times = st.one_of(
    st.integers(0, 1 << 60).map(lambda ns: f"{ns // 1000}.{ns % 1000:03d}"),
    st.floats(-1e6, 1e15, allow_nan=False),
    st.integers(0, 1 << 53),
    st.decimals(0, 10**15, places=4).map(str),
)
events = st.fixed_dictionaries(
    {"name": texts, "ts": times, "dur": times, "args": st.dictionaries(texts, values, max_size=3)},
    optional={"cat": texts, "id": values},
)
separators = st.sampled_from([(",", ":"), (", ", ": "), (",\n", ":"), (" , ", " :")])


def exact(value: Any) -> int | None:
    return to_ns(value if isinstance(value, str) else json.dumps(value), 1000)


@given(st.lists(events, max_size=12), separators, st.integers(40, 400), st.integers(60, 600))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
def test_every_event_is_found_where_it_stands(
    tmp_path: Path, made: list[dict[str, Any]], separator: tuple[str, str], head: int, block: int
) -> None:
    whole = [{**event, "ph": "X", "pid": 1, "tid": 2} for event in made]
    path = tmp_path / "msprof.json"
    path.write_text(json.dumps(whole, separators=separator, ensure_ascii=False))
    data = path.read_bytes()
    known = Dictionaries()
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(file_parts, "HEAD", head)
        patch.setattr(file_parts, "BLOCK", block)
        parts = FileParts(SourceFile(path), known, pool)
        found = [row for part in parts for row in part.columns.slices.rows(named=True)]
    assert parts.notices == ([] if made else ["msprof.json holds no events."])
    timed = [event for event in whole if exact(event["ts"]) is not None]
    assert [row["name"] for row in found] == [event["name"] for event in timed]
    assert [row["start_ns"] for row in found] == [exact(event["ts"]) for event in timed]
    assert [row["duration_ns"] for row in found] == [exact(event["dur"]) or 0 for event in timed]
    for row, event in zip(found, timed, strict=True):
        text = data[row["offset"] : row["offset"] + row["length"]].decode()
        assert json.dumps(json.loads(text)) == json.dumps(event)
