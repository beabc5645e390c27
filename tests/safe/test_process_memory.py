from __future__ import annotations

import subprocess
import sys

from pincite.safe.process_memory import read_peak

CODE = """
from pincite.safe.process_memory import forget_peak, read_peak
start = read_peak()
data = bytearray(80_000_000)
high = read_peak()
del data
forget_peak()
print(start, high, read_peak())
"""


def test_the_peak_is_told_and_forgotten() -> None:
    assert read_peak() > 1_000_000
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    start, high, after = map(int, done.stdout.split())
    assert high - start > 70_000_000
    assert after <= high
    if sys.platform == "linux":
        assert after < high - 60_000_000
