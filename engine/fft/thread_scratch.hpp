// SPDX-License-Identifier: BSD-3-Clause
//
// Memory in which a thread works, whatever object it works on. So planes that are written and read
// again within one call stay in its caches from object to object.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::fft {

/// Has at least so many numbers, until the next call by this thread. They have no meaning. It takes
/// memory only when they are more than ever before, and gives it back when the thread ends.
template <class Real>
std::complex<Real>* thread_scratch(std::size_t numbers);

}  // namespace fg::fft
