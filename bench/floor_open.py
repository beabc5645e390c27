"""Listing and reading as most people write it: os.walk and open."""

import os
import sys

total = 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as stream:
            total += len(stream.read())
print(total)
