"""Waiting inside iterations, and the host that dispatches too slowly."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import TableEvidence, TimelineEvidence
from prof_tui.data.findings.from_timeline import HostGap, HostWaits
from prof_tui.data.findings.rules.dispatch import what_to_see
from prof_tui.data.query.query import Query, Scope, Sort, Where
from tests.helpers.judged_run import STEADY, Cells, Verdict, op
from tests.helpers.small_capture import BEGIN_US
from tests.helpers.steady_ops import each
from tests.helpers.traced_capture import traced_capture

Judge = Callable[..., Verdict]

WAIT = "Task Wait Time(us)"


def waiting(us: float, first_us: float = 50, short: int = 6) -> list[dict[str, object]]:
    """Eight ops in the 800 us of an iteration, in which the second waits, beside the first one's wait."""
    wait, first = {"Task_Wait_Time(us)": us}, {"Task_Wait_Time(us)": first_us}
    end = 850 - short
    shorts: list[tuple[float, float, str, Cells]] = [(end + i, 1.0, f"Relu_{i}", {}) for i in range(short)]
    return each((50, 400, "Mul_1", first), (450 + us, 400 - us - short, "Add_1", wait), *shorts)


def test_waiting_over_3_per_cent_with_the_largest_gaps(judge: Judge) -> None:
    """25 of 775 + 25 us; the first op's wait is Data Aug Bound, and the longest: it is not shown."""
    finding = judge(waiting(25)).one("wait_share")
    assert (finding.cost_ns, finding.value) == (25_000, 3.125)
    assert finding.rule == (
        "3 of 24 ops waited over 10 us, 75.000 us in all: 3.1 % of all durations and waits, over 3 %. msprof "
        "divides by the waiting ops' own time alone: 6.3 %. Judged from 20 ops on."
    )
    assert [(row.label, row.time_ns, row.note) for row in finding.rows] == [
        ("Mul_1 – Add_1", 25_000, f"device 0, iteration {iteration}") for iteration in (3, 4, 5)
    ]
    filters = (Where(WAIT, ">", "10"), Where(WAIT, "<=", "25.000"), STEADY)
    assert finding.evidence == TableEvidence("op_summary", Query(filters=filters, sort=Sort(WAIT, True)))


def largest(length_ns: int, waited_ns: int) -> HostWaits:
    """Launches of which that behind the largest gap was begun ``waited_ns`` into it."""
    gap = HostGap(TimelineEvidence(0, 0, length_ns), waited_ns, "Mul_1", "Add_1", "")
    return HostWaits(1, length_ns, 1, 1, length_ns, waited_ns, (gap,), (gap,))


def test_a_gap_that_goes_on_after_the_launch_is_not_the_host_s() -> None:
    host = "See in the timeline what the host did in the largest gaps."
    assert what_to_see(largest(100, 50)) == host
    assert what_to_see(largest(100, 49)) == what_to_see(largest(100, 0))
    assert what_to_see(largest(100, 49)) == (
        "The host had launched the op behind the largest gap before half of it was over: see in the timeline "
        "what the device waited for then: its queue, a synchronisation, another stream, an event wait."
    )
    assert what_to_see(None).startswith(f"{host} For its calls collect with msprof --runtime-api=on")


def test_waiting_of_3_per_cent_is_none(judge: Judge) -> None:
    assert judge(waiting(24)).silent("wait_share")


def test_only_waits_over_10_us_count(judge: Judge) -> None:
    short = {"Task_Wait_Time(us)": 10}
    ops = [(50.0 + 20 * i, 10.0, f"Mul_{i}", short) for i in range(8)]
    assert judge(each(*ops)).silent("wait_share")


def test_a_handful_of_ops_that_wait_tells_too_little(judge: Judge) -> None:
    """Seven in each of three iterations, of which the first can't wait."""
    assert judge(waiting(25, short=5)).why("wait_share") == (
        "18 ops could have waited for the one before them: fewer than 20 tell too little."
    )
    assert judge(waiting(25, short=6)).one("wait_share").value == 3.125


@pytest.mark.parametrize("missing", ["N/A", "", None])
def test_neighbours_of_a_gap_without_names_are_called_what_they_are(
    judge: Judge, missing: str | None
) -> None:
    ops = waiting(25)
    for each_op in ops:
        each_op["Task Type"] = "PLACE_HOLDER_SQE"
        for header in ("Op Name", "OP Type"):
            if missing is None:
                del each_op[header]
            else:
                each_op[header] = missing
    labels = {row.label for row in judge(ops).one("wait_share").rows}
    assert labels == {"between two PLACE_HOLDER_SQE"}


# Dispatch


def gapped(us: float, ops: int = 8, between: Sequence[Cells] = ()) -> list[dict[str, object]]:
    """Ops of 10 us in each iteration, ``us`` apart; ``between``: cells of tasks of 0.02 us in each gap."""
    made: list[tuple[float, float, str, Cells]] = []
    for i in range(ops):
        at = 100 + i * (10 + us)
        made.append((at, 10.0, f"Mul_{i}", {"Task_Wait_Time(us)": us if i else 0}))
        made += [(at + 10 + 2 * n, 0.02, "N/A", cells) for n, cells in enumerate(between, 1)]
    return each(*made)


def test_ops_shorter_than_the_gaps_between_them(judge: Judge) -> None:
    finding = judge(gapped(10.001)).one("dispatch_bound")
    assert finding.cost_ns == 70_007
    assert "device 0: median op 10.000 us, median of 21 gaps 10.001 us" in finding.rule
    filters = (Where(WAIT, ">", "0"), STEADY)
    query = Query(Scope(0), filters, sort=Sort(WAIT, True))
    assert finding.evidence == TableEvidence("op_summary", query)
    assert judge(gapped(10)).silent("dispatch_bound")


def test_a_median_of_few_gaps_tells_too_little(judge: Judge) -> None:
    assert judge(gapped(10.001, ops=7)).why("dispatch_bound") == (
        "Fewer than 20 gaps between ops on cores: their median tells too little."
    )


def test_of_several_devices_those_with_few_gaps_are_named(judge: Judge) -> None:
    ops = [*gapped(10.001), *(op(at, 10, Device_id=1) for at in (2100, 3100, 4100))]
    verdict = judge(ops, None)
    assert verdict.one("dispatch_bound").evidence is not None
    assert verdict.why("dispatch_bound").startswith("Device 1: Fewer than 20 gaps")


@pytest.mark.parametrize("task", ["PLACE_HOLDER_SQE", "EVENT_RECORD", "NOTIFY_WAIT"])
def test_tasks_that_run_on_no_core_make_no_median(judge: Judge, task: str) -> None:
    """Three of them in each gap of 9 us would make the median op 0.02 and the median gap 2 us."""
    between = [{"Task_Type": task, "OP_Type": "N/A"}] * 3
    assert judge(gapped(9, between=between)).silent("dispatch_bound")
    assert (
        judge(gapped(10.001, between=between))
        .one("dispatch_bound")
        .rule.startswith(
            "The median op is shorter than the median gap to the next: "
            "device 0: median op 10.000 us, median of 21 gaps 10.001 us; "
        )
    )


def test_ops_of_no_length_make_no_median(judge: Judge) -> None:
    ops = gapped(9)
    empty = [
        {**each_op, "Task Start Time(us)": f"{float(str(each_op['Task Start Time(us)'])) + 12:.3f}"}
        for each_op in ops
        for _turn in range(2)
    ]
    for each_op in empty:
        each_op["Task Duration(us)"] = "0.000"
    assert judge([*ops, *empty]).silent("dispatch_bound")


def test_without_waits_the_longest_ops_are_shown(judge: Judge) -> None:
    ops = gapped(10.001)
    for each_op in ops:
        del each_op[WAIT]
    evidence = judge(ops).one("dispatch_bound").evidence
    assert evidence == TableEvidence(
        "op_summary", Query(Scope(0), (STEADY,), sort=Sort("Task Duration(us)", True))
    )


def test_a_host_that_launches_late_by_the_timeline(tmp_path: Path) -> None:
    """Of three iterations in line each has 41.5 to 43.5 us before Cast is launched, and 95 before TopK."""
    finding = Verdict(find(traced_capture(tmp_path), steady_from=1)).one("dispatch_bound")
    assert (finding.cost_ns, finding.share) == (137_500, 0.1375)
    assert finding.rule == (
        "By the timeline, the host began to launch the op behind 6 of 6 gaps only when the device had become "
        "idle; until then 412.500 us of their 442.500 us had passed, over 10 % of the period."
    )
    first = finding.rows[0]
    assert (first.label, first.time_ns) == ("Cast_1 – TopK_1", 95_000)
    assert first.note == "device 0, iteration 1, host in Model@execute"
    begin_ns = 1000 * (BEGIN_US + 1300)
    assert finding.evidence == TimelineEvidence(0, begin_ns, begin_ns + 100_000, 11, 1)


def test_a_host_that_is_late_by_less_than_a_tenth_of_the_period(tmp_path: Path) -> None:
    """136 of 1,500 us: iterations 3 and 4, with a period of 1,000 and of 2,000 us."""
    assert Verdict(find(traced_capture(tmp_path))).silent("dispatch_bound")
