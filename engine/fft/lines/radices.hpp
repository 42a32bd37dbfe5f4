// SPDX-License-Identifier: BSD-3-Clause
//
// The passes into which a transform of a given length is divided.
#pragma once

#include <vector>

namespace fg::fft {

/// The radices of the cheapest division of `length` into passes, in their order. None if the length
/// has a prime factor above 13. The same on every machine and for both precisions, since the bits
/// depend on it.
std::vector<int> radices_of(int length);

/// The cheapest length of at least `least` points that has radices.
int convenient_length(int least);

}  // namespace fg::fft
