// SPDX-License-Identifier: BSD-3-Clause
#include "fft/thread_scratch.hpp"

#include <algorithm>

#include "base/aligned_vector.hpp"

namespace fg::fft {

template <class Real>
std::complex<Real>* thread_scratch(std::size_t numbers) {
  static thread_local AlignedVector<std::complex<Real>> memory;
  if (memory.size() < numbers) {
    memory.clear();  // so that nothing is copied
    // At least as much as an AlignedVector puts on huge pages. Lines along x jump from plane to
    // plane, each on another small page.
    memory.resize(std::max(numbers, 2 * huge_page / sizeof(std::complex<Real>)));
  }
  return memory.data();
}

template std::complex<float>* thread_scratch<float>(std::size_t);
template std::complex<double>* thread_scratch<double>(std::size_t);

}  // namespace fg::fft
