from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.run.overview import DeviceTimes
from prof_tui.data.run.periods import ModelRun, choose_models
from prof_tui.panes.overview.lines import Need
from prof_tui.panes.overview.periods import device_line, step_lines


def times_of(*periods_us: int, device: int = 0) -> ModelRun:
    """A model's steady iterations 3, 4, … with these periods."""
    steps, end_ns = [], 0
    for number, us in enumerate((1_000, 1_000, *periods_us), start=1):
        end_ns += us * 1_000
        steps.append(
            Step(0, device, 11, number, None, None, end_ns, 900_000, None, None, None, period_ns=us * 1_000)
        )
    [times] = choose_models(StepTrace(tuple(steps))).devices
    return times


def test_iterations_out_of_line_are_named_the_farthest_first_and_marked() -> None:
    times = times_of(1_000, 1_001, 1_200, 999, 3_000, 1_000, 500)
    by_need = {line.need: line.text for line in step_lines(times, 100)}
    assert (
        by_need[Need.OUTLIERS].plain
        == "Outliers       3 of 7: iterations 7 (+2,000 us), 9 (-500.000 us), 5 (+200.000 us)"
    )
    period = by_need[Need.PERIOD]
    assert period.plain.endswith("  ▃▃▄▃█▃▂")
    marked = [span.start for span in period.spans if str(span.style) == "bold red"]
    first = len(period.plain) - 7
    assert marked == [first + 2, first + 4, first + 6]


def test_where_all_are_in_line_no_line_says_so() -> None:
    assert [line.need for line in step_lines(times_of(1_000, 1_001, 1_002), 100)] == [
        Need.PERIOD,
        Need.ITERATION_TIME,
    ]


def test_devices_are_drawn_to_one_scale() -> None:
    fast, slow = times_of(1_000, 1_000, 1_000), times_of(2_000, 2_000, 2_000, device=1)
    lines = [device_line(DeviceTimes(times, None), 80, 2_000_000, 2_000_000).plain for times in (fast, slow)]
    assert lines == [
        "device 0, Model ID 11       1,000.000 us  █████░░░░░  ▅▅▅",
        "device 1, Model ID 11       2,000.000 us  ██████████  ███",
    ]


def test_a_device_names_its_iterations_out_of_line_where_there_is_room() -> None:
    times = times_of(1_000, 1_000, 3_000, 1_000)
    assert device_line(DeviceTimes(times, None), 90, 1_000_000, 3_000_000).plain.endswith(
        "  ▃▃█▃  outliers: 5"
    )
    assert device_line(DeviceTimes(times, None), 65, 1_000_000, 3_000_000).plain.endswith("  ▃▃█▃")
