"""What a timeline's reader does, without a screen."""

from collections.abc import Callable
from unittest.mock import patch

from textual.message import Message

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Scope
from prof_tui.panes.timeline.reading import (
    EventFound,
    LanesReady,
    MatchesFound,
    ReadSoFar,
    Refused,
    TraceReader,
)
from tests.helpers.traced_capture import EVENTS_OF_AN_ITERATION


class Owner:
    """Keeps work until it is to be done, and what is answered."""

    def __init__(self, capture: OpenCapture, trace_name: str | None = None) -> None:
        self.work: dict[str, Callable[[], None]] = {}
        self.answers: list[Message] = []
        self.reader = TraceReader(
            capture, Scope(), trace_name, start=self.work.__setitem__, post=self.answers.append
        )

    def answer(self, group: str) -> Message:
        """The last answer of the work that waits."""
        self.work.pop(group)()
        return self.answers[-1]

    def read(self) -> LanesReady:
        self.reader.open()
        message = self.answer("trace")
        assert isinstance(message, LanesReady)
        return message


def test_it_reads_the_first_timeline_and_says_how_far_it_is(traced: OpenCapture) -> None:
    owner = Owner(traced)
    owner.reader.open()
    assert owner.reader.is_reading
    message = owner.answer("trace")
    assert isinstance(message, LanesReady)
    assert any(isinstance(answer, ReadSoFar) for answer in owner.answers)
    assert owner.reader.take_lanes(message)
    assert not owner.reader.is_reading
    assert (owner.reader.trace_name, owner.reader.index) == ("msprof", message.index)
    assert len(message.index.events) == 4 * EVENTS_OF_AN_ITERATION


def test_lanes_of_another_scope_are_laid_out_anew(traced: OpenCapture) -> None:
    owner = Owner(traced)
    whole = owner.read()
    owner.reader.set_scope(Scope(0, 11, 3))
    assert not owner.work  # nothing is read yet that could be laid out
    assert not owner.reader.take_lanes(whole)
    third = owner.answer("lanes")
    assert isinstance(third, LanesReady)
    assert owner.reader.take_lanes(third)
    assert owner.reader.shown is not None
    assert owner.reader.shown.scope == Scope(0, 11, 3)


def test_what_waits_is_done_once_when_the_wanted_scope_stands(traced: OpenCapture) -> None:
    owner, done = Owner(traced), list[str]()
    message = owner.read()
    owner.reader.when_ready(lambda: done.append("first"))
    assert done == []
    owner.reader.take_lanes(message)
    owner.reader.do_wanted()
    owner.reader.do_wanted()
    owner.reader.when_ready(lambda: done.append("second"))
    assert done == ["first", "second"]


def test_a_reading_that_was_cancelled_answers_no_more(traced: OpenCapture) -> None:
    owner = Owner(traced)
    owner.reader.open()
    assert owner.reader.cancel()
    assert not owner.reader.cancel()
    assert owner.reader.why_none == "Not read: R reads it."
    owner.work.pop("trace")()
    assert [type(answer) for answer in owner.answers] == [ReadSoFar]


def test_a_timeline_that_was_read_stays_when_it_can_t_be_read_anew(traced: OpenCapture) -> None:
    owner = Owner(traced)
    assert not owner.reader.take_refusal("It is gone.")
    assert owner.reader.why_none.startswith("It is gone.\nT shows another timeline of the export: msprof")
    owner.reader.take_lanes(owner.read())
    assert owner.reader.take_refusal("It is gone.")
    assert owner.reader.notices[0] == "Not read anew, this is as it was: It is gone."


def test_without_a_timeline_it_is_refused(capture: OpenCapture) -> None:
    owner = Owner(capture)
    owner.reader.open()
    message = owner.answer("trace")
    assert isinstance(message, Refused)
    assert message.sentence == capture.why_no_timeline()


def test_it_looks_for_events_by_name_by_op_and_by_place(traced: OpenCapture) -> None:
    owner = Owner(traced)
    owner.reader.find("matmul")
    assert not owner.work
    lanes = owner.read()
    owner.reader.take_lanes(lanes)
    owner.reader.find("matmul")
    matches = owner.answer("find")
    assert isinstance(matches, MatchesFound)
    assert (matches.index, matches.found.count) == (lanes.index, 4)
    first = int(matches.found.events[0])
    begin_ns, length_ns = lanes.index.events.select("start_ns", "duration_ns").row(first)
    span = (begin_ns, begin_ns + length_ns)
    host = "host: 1 call over 101.500 us of it, longest in Model@execute"
    owner.reader.find_place(span, None)
    assert owner.answer("op") == EventFound(first, span, host=host)
    owner.reader.find_place(span, 7)
    assert owner.answer("op") == EventFound(7, span, host=host)
    owner.reader.find_op(2)
    op = owner.answer("op")
    assert isinstance(op, EventFound)
    assert op.event is not None
    assert lanes.index.events["name"][op.event] == "MatMul_1"
    owner.reader.find_op(0)
    assert owner.answer("op") == EventFound(
        None, why_none="No event with the op's ids, or without ids its name, starts within 10 us of it."
    )
    with patch("prof_tui.data.timeline.op_link.event_of_op", side_effect=_unreadable):
        owner.reader.find_op(0)
        assert owner.answer("op") == EventFound(None, why_none="It is damaged.")


def _unreadable(*_arguments: object) -> None:
    from prof_tui.errors import UnreadableError

    raise UnreadableError("It is damaged.")
