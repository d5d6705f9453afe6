import subprocess
import sys
from pathlib import Path

from benchmark import FIGURES


def test_the_benchmark_measures_every_figure_of_a_small_capture(tmp_path: Path) -> None:
    script = Path(__file__).with_name("benchmark.py")
    command = [sys.executable, str(script), "--rows", "3000", "--runs", "1", "--keep", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.stderr == ""
    assert [each.name for each in FIGURES if f"\n{each.name} " not in run.stdout] == []
    assert [kept.name for kept in tmp_path.iterdir()] == ["rows-3000"]
