"""A bounded run of the fuzzer, the same inputs each time."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).with_name("fuzz.py")


def test_damaged_captures_lead_to_sentences_and_lose_no_row() -> None:
    words = [sys.executable, str(FUZZ), "--inputs", "8", "--seed", "9"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.startswith("8 inputs in ")
