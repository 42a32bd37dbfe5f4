# SPDX-License-Identifier: BSD-3-Clause
"""Print the digest that checkpoint_test.cpp expects, from Python's own SHA-256."""

import hashlib
import struct

VALUES = [1.0, 2.0, 3.0, 0.0, 0.0, -0.5, 10.0, 10.0, 10.0]

print(hashlib.sha256(struct.pack(f"<{len(VALUES)}d", *VALUES)).hexdigest())
