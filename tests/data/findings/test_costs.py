"""What a cost is of, what its share is of, and how costs of two kinds are ranked."""

from collections.abc import Callable
from dataclasses import replace

from prof_tui.data.findings.texts import cost_text
from tests.helpers.judged_run import Iteration, Verdict, op

Judge = Callable[..., Verdict]

FLAT = Iteration()
ELSEWHERE = 1_000_000
"""Behind all iterations, in us: no op is in one, as where the step trace is of another clock."""


def elsewhere(us: float, device: int = 0) -> dict[str, object]:
    """An op on an AI CPU, which has a span of its own."""
    return op(ELSEWHERE, us, "TopK_1", Task_Type="AI_CPU", Device_id=device)


def test_what_the_step_trace_alone_says_is_of_an_iteration(judge: Judge) -> None:
    slow = replace(FLAT, data_aug=200, refresh=300, computing=500)
    verdict = judge([elsewhere(90)], (slow,) * 8)
    assert verdict.all.basis == "capture"
    for id_, cost_ns in (("data_bound", 200_000), ("refresh_share", 300_000)):
        found = verdict.one(id_)
        assert (found.cost_ns, found.basis, found.share, found.value) == (
            cost_ns,
            "iteration",
            cost_ns / 1_000_000,
            cost_ns / 10_000,
        )
    assert cost_text(verdict.one("refresh_share")) == "300.000 us an iteration, 30.0 % of the period"
    cpu = verdict.one("aicpu_share")
    assert cost_text(cpu) == "90.000 us in the whole capture, 100.0 % of its span"


def test_odd_iterations_and_slow_devices_too(judge: Judge) -> None:
    odd = (*(FLAT,) * 5, replace(FLAT, data_aug=850), *(FLAT,) * 4)
    late = replace(FLAT, device=1, computing=950)
    verdict = judge([elsewhere(90), elsewhere(400, 1)], (*odd, *(late,) * 5))
    stall, slow = verdict.one("iteration_stall"), verdict.one("slow_device")
    assert (stall.basis, stall.cost_ns, stall.share) == ("iteration", 100_000, 0.1)
    assert (slow.basis, slow.cost_ns, slow.share) == ("iteration", 100_000, 100 / 1100)


def test_computing_time_of_the_whole_capture_tells_no_slow_device(judge: Judge) -> None:
    other = replace(FLAT, device=1)
    assert judge([elsewhere(90), elsewhere(400, 1)], (*(FLAT,) * 5, *(other,) * 5)).silent("slow_device")


def test_costs_of_two_kinds_are_ranked_by_their_shares(judge: Judge) -> None:
    """2,000 of 20,000 us of the capture are less than 200 of an iteration's 1,000."""
    slow = replace(FLAT, data_aug=200, computing=700)
    ops = [elsewhere(2000), op(ELSEWHERE + 10_000, 10_000, "Relu_1")]
    found = judge(ops, (slow,) * 5).all.findings
    ranked = {each.id: each.share for each in found}
    assert ranked["data_bound"] == 0.2
    assert ranked["aicpu_share"] == 0.1
    shares = [each.share or 0 for each in found if each.basis != "once"]
    assert shares == sorted(shares, reverse=True)


def test_a_cost_that_is_not_known_has_no_share(judge: Judge) -> None:
    found = judge([op(at, 20, OP_State="dynamic") for at in (2100, 3100, 4100)]).one("dynamic_ops")
    assert (found.cost_ns, found.share, found.value, cost_text(found)) == (0, None, 100, "cost not known")


def test_without_a_period_shares_are_of_iteration_time(judge: Judge) -> None:
    """One iteration of 956 us; its ops of 95.6 us."""
    found = judge([op(100, 95.6, Task_Type="AI_CPU")], (FLAT,)).one("aicpu_share")
    assert found.share == 0.1
    assert cost_text(found) == "95.600 us an iteration, 10.0 % of Iteration Time"


def test_a_rule_s_sentence_is_of_iteration_time_too(judge: Judge) -> None:
    ops = [op(100, 191.2, "hcom_1", Task_Type="COMMUNICATION")]
    found = judge(ops, (FLAT,)).one("communication_not_overlapped")
    assert found.title == "Communication not overlapped by computing takes 20.0 % of Iteration Time"
