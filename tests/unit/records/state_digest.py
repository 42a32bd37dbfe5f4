# SPDX-License-Identifier: BSD-3-Clause
"""Print the digests that checkpoint_test.cpp expects, from Python's own SHA-256."""

import hashlib
import struct

STATE = [1.0, 2.0, 3.0, 0.0, 0.0, -0.5, 10.0, 10.0, 10.0]
TILTS = [1.5, -2.5, 3.5]

for values in (STATE, STATE + TILTS):
    print(hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest())
