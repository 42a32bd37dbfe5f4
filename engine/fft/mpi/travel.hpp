// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace fg::fft {

/// How parcels travel: each as a message, or all of an exchange in one collective call. The same on
/// all ranks.
enum class Travel { messages, collective };

}  // namespace fg::fft
