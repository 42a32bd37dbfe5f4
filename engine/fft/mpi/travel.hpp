// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace fg::fft {

/// How parcels travel: each as a message; all of an exchange in one collective call; or the faster
/// of these. Which one is faster is measured when the object is made, and remembered in a file of
/// the user (exchange_memory.hpp). The same on all ranks. No bit of a result depends on it.
enum class Travel { messages, collective, measured };

}  // namespace fg::fft
