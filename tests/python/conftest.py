# SPDX-License-Identifier: BSD-3-Clause
"""What all tests have in common.

A shell ignores SIGINT for what it starts in the background, and `nohup` SIGHUP; programs that tests
start, and then interrupt, would inherit this.
"""

from __future__ import annotations

import signal

for number, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)
