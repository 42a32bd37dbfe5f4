// SPDX-License-Identifier: BSD-3-Clause
//
// Thread-local variables that are read for each message: they lie where the program's own are, at a
// distance that is known once it is loaded. A simulated process is a copy of the program that is
// loaded later, when no such place is left.
#pragma once

#ifdef FG_SIMULATED
#define FG_FAST_THREAD_LOCAL
#else
#define FG_FAST_THREAD_LOCAL [[gnu::tls_model("initial-exec")]]
#endif
