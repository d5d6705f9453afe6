import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import op_summary as benchmark
from tests.benchmarks import trace as trace_benchmark
from tests.benchmarks import verdict as verdict_benchmark
from tests.benchmarks.trace_figures import KEY_WAIT
from tests.helpers.loop_probe import longest_gap

ROOT = Path(__file__).parents[2]


def run_script(name: str, folder: Path, rows: int) -> str:
    command = [
        sys.executable,
        "-m",
        f"tests.benchmarks.{name}",
        "--rows",
        str(rows),
        "--runs",
        "1",
        "--keep",
        str(folder),
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert run.stderr == ""
    return run.stdout


def not_measured(names: Sequence[str], output: str) -> list[str]:
    return [name for name in names if f"\n{name}" not in output]


def test_the_benchmark_measures_every_figure_of_a_small_capture(tmp_path: Path) -> None:
    output = run_script("op_summary", tmp_path, 3_000)
    assert not_measured([each.name for each in benchmark.FIGURES], output) == []
    assert [kept.name for kept in tmp_path.iterdir()] == ["rows-3000"]


def test_the_benchmark_of_timelines_measures_every_figure_of_two_iterations(tmp_path: Path) -> None:
    output = run_script("trace", tmp_path, 6_000)
    names = [each.name for each in trace_benchmark.FIGURES]
    # A timeline that is read within one key's time is not read with keys meanwhile.
    assert not_measured(names, output) in ([], [KEY_WAIT])
    assert [kept.name for kept in tmp_path.iterdir()] == ["traced-6000"]


def test_the_benchmark_of_the_verdict_measures_every_figure_of_a_small_capture(tmp_path: Path) -> None:
    output = run_script("verdict", tmp_path, 3_000)
    assert not_measured([each.name for each in verdict_benchmark.FIGURES], output) == []


def test_the_longest_gap_is_that_which_ended_between_two_moments(tmp_path: Path) -> None:
    (tmp_path / "gaps").write_text("1.0 0.5\n2.0 0.02\n3.0 0.03\n4.0 0.7\n")
    assert longest_gap(tmp_path / "gaps", 1.5, 3.5) == 0.03
    assert longest_gap(tmp_path / "gaps", 5.0, 6.0) == 0.0
