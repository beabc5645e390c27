"""The floor for a warm run: stat every file of a list, and nothing else."""

import os
import sys

with open(sys.argv[1], encoding="utf-8") as listed:
    names = listed.read().split("\n")
newest = 0
for name in names:
    info = os.stat(name)
    if info.st_mtime_ns > newest:
        newest = info.st_mtime_ns
print(newest)
