"""Timelines that are cut off, damaged, glued together, or no JSON."""

import json
from pathlib import Path

import pytest

from prof_tui.data.timeline.read import blocks as file_parts
from prof_tui.data.timeline.read.files import read_trace
from prof_tui.errors import UnreadableError
from tests.helpers.loose_tables import LFS
from tests.helpers.trace_reading import array, events_of, metadata, names_of, read, task, timeline_capture
from tests.helpers.traces import event_text

NAME = "msprof_slice_0_20260921101601.json"
TASKS = [task(f"op{i}", f"{100 + i}", 0.5) for i in range(12)]
WHOLE = array(*metadata(), *TASKS)
NAMES = [f"op{i}" for i in range(12)]


@pytest.fixture(params=["one piece", "small blocks"], autouse=True)
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "small blocks":
        monkeypatch.setattr(file_parts, "HEAD", 300)
        monkeypatch.setattr(file_parts, "BLOCK", 420)


@pytest.mark.parametrize("cut", range(1, 160, 3))
def test_a_file_cut_anywhere_keeps_the_events_before(tmp_path: Path, cut: int) -> None:
    text = WHOLE[:-cut]
    index = read(tmp_path, text)
    whole = text.count('"connection') + text.count('"AI_CORE"}}')
    assert names_of(index) == NAMES[:whole]
    events = sum(index.phases.values())
    said = f"{NAME} is incomplete, still being written or cut off: {events} events could be read."
    assert index.notices == (said,)


def test_nothing_but_a_bracket(tmp_path: Path) -> None:
    index = read(tmp_path, "[")
    assert index.notices == (
        f"{NAME} is incomplete, still being written or cut off: 0 events could be read.",
    )
    assert read(tmp_path / "closed", "]").notices == (f"{NAME} holds no events.",)


def test_damage_costs_what_stands_there(tmp_path: Path) -> None:
    text = WHOLE.replace('"op6"', '"op"6""')
    index = read(tmp_path, text)
    assert names_of(index) == [*NAMES[:6], *NAMES[7:]]
    byte = text.index('6"",')
    said = f"{NAME} is damaged at byte {byte:,} (1:{byte + 1}): what stands there was left out."
    assert index.notices == (said,)


def test_damage_to_the_end(tmp_path: Path) -> None:
    byte = WHOLE.index('"name":"op6"')
    text = WHOLE[:byte] + "\0" * 700
    index = read(tmp_path, text)
    assert names_of(index) == NAMES[:6]
    assert index.notices == (
        f"{NAME} is damaged at byte {byte:,} (1:{byte + 1}): what stands there was left out.",
        f"{NAME}: no event could be read behind that.",
    )


def test_line_and_column(tmp_path: Path) -> None:
    text = json.dumps([*metadata(), *TASKS], indent=1).replace('"op6"', "op6")
    place = text.index("op6,")
    line, column = text[:place].count("\n") + 1, place - text.rindex("\n", 0, place)
    index = read(tmp_path, text)
    assert f"at byte {place:,} ({line}:{column})" in index.notices[0]
    assert names_of(index) == [*NAMES[:6], *NAMES[7:]]


def test_two_arrays_are_joined(tmp_path: Path) -> None:
    first = array(*metadata(), *TASKS[:5])
    index = read(tmp_path, first + array(*TASKS[5:]))
    assert names_of(index) == NAMES
    said = (
        f"{NAME}: a second array begins at byte {len(first):,} (1:{len(first) + 1}); its events are joined."
    )
    assert index.notices == (said,)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x1f\x8b\x08\0\0", f"{NAME} is no timeline but packed with gzip: unpack it."),
        (LFS.encode(), f"{NAME} is no timeline but a Git LFS pointer: run `git lfs pull` where it lies."),
        (b"  \xff[]", f"{NAME} is not JSON: byte 2 is 0xff; export the capture again."),
        (b" \n ", f"{NAME} holds no JSON, only white space; export the capture again."),
        (
            b'{"status": 1, "info": "Parse failed!"}',
            f"{NAME} says that its export failed: Parse failed!",
        ),
    ],
    ids=["gzip", "Git LFS", "not text", "blank", "failed export"],
)
def test_no_timeline_at_all(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(UnreadableError) as error:
        read(tmp_path, data)
    assert str(error.value) == said


def test_one_bad_slice_costs_only_itself(tmp_path: Path) -> None:
    index = read(tmp_path, b"\x1f\x8b", WHOLE)
    assert names_of(index) == NAMES
    assert index.notices == (f"{NAME} is no timeline but packed with gzip: unpack it.",)


def test_other_encodings(tmp_path: Path) -> None:
    events = json.dumps([task("卷积", "100", 1.0), task("ok", "102", 1.0)], ensure_ascii=False)
    index = read(tmp_path, events.encode("gbk"))
    assert names_of(index) == ["卷积", "ok"]
    assert json.loads(event_text(index, 1))["name"] == "ok"
    assert index.notices == (f"{NAME} is not UTF-8: other text is read as GBK, or shown as marks.",)
    neither = read(tmp_path / "marks", events.encode().replace("卷".encode(), b"\xff\xff\xff"))
    assert [name.strip("\ufffd") for name in names_of(neither)] == ["积", "ok"]


def test_wide_characters_move_no_offset(tmp_path: Path) -> None:
    events = [task(f"卷积{i}", f"{100 + i}", 0.5) for i in range(12)]
    index = read(tmp_path, json.dumps([*metadata(), *events], ensure_ascii=False))
    assert [json.loads(event_text(index, i))["name"] for i in range(12)] == [f"卷积{i}" for i in range(12)]
    assert index.notices == ()


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    capture = timeline_capture(tmp_path, {NAME: WHOLE})
    path = capture.path / "mindstudio_profiler_output" / NAME

    def shrink(done: int, _total: int) -> bool:
        if done == 0:
            path.write_text(WHOLE[:100])
        return True

    with pytest.raises(UnreadableError, match=f"{NAME} was changed while it was open: reload"):
        read_trace(capture.export, "msprof", progress=shrink)


def test_a_wild_time_does_not_stretch_the_span(tmp_path: Path) -> None:
    wild = [task("zero", "", 1.0, ts="0"), task("late", "", 1.0, ts="1999999999999999.000")]
    index = read(tmp_path, array(*metadata(), *TASKS, *wild))
    begin = 1790000000000100 * 1000
    assert index.span == (begin, begin + 11500)
    assert len(index.events) == 14
    assert index.notices == (
        "4 begins and ends lie more than an hour from all others: the timeline doesn't reach there.",
    )


def test_zero_negative_and_wrapped_durations(tmp_path: Path) -> None:
    events = [
        task("wrapped", "100", "18446744073709551.100"),
        task("negative", "101", -2.5),
        task("zero", "101", 0),
        task("long", "101", 5.0),
    ]
    index = read(tmp_path, array(*metadata(), *events))
    assert events_of(index) == [
        ("Stream 2", 0, 0, -516, "wrapped"),
        ("Stream 2", 0, 1000, 5000, "long"),
        ("Stream 2", 1, 1000, -2500, "negative"),
        ("Stream 2", 1, 1000, 0, "zero"),
    ]
    begin = 1790000000000100 * 1000
    assert index.span == (begin, begin + 6000)


def test_an_event_nested_too_deeply_is_left_out_and_told(tmp_path: Path) -> None:
    nested = "[" * 5000 + "]" * 5000
    deep = f'{{"name":"deep","pid":1,"tid":1,"ts":1,"dur":1,"ph":"X","args":{{"a":{nested}}}}}'
    plain = '{"name":"plain","pid":1,"tid":1,"ts":5,"dur":1,"ph":"X","args":{}}'
    index = read(tmp_path, f"[{deep},{plain}]")
    assert names_of(index) == ["plain"]
    assert index.notices == (f"{NAME} is damaged at byte 1 (1:2): what stands there was left out.",)
    assert index.damaged == (0,)
