// SPDX-License-Identifier: BSD-3-Clause
//
// Thread-local variables that are read for each message. They use the static storage model: their
// address is a fixed offset that is known once the program is loaded. A simulated process is a copy
// of the program that is loaded later, when no such storage is left.
#pragma once

#ifdef FG_SIMULATED
#define FG_FAST_THREAD_LOCAL
#else
#define FG_FAST_THREAD_LOCAL [[gnu::tls_model("initial-exec")]]
#endif
