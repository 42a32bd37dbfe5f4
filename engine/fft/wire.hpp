// SPDX-License-Identifier: BSD-3-Clause
//
// How numbers travel from rank to rank.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::fft {

/// Numbers travel with all their bits, or rounded to float in half the bytes. In the second case
/// what stays on its rank is rounded too. So the bits depend on where the exchanges of the plan
/// are, and not on the boxes between. Each exchange adds a relative error of at most 2^-24 in the
/// norm. Numbers beyond 3e38 become infinite.
enum class Wire { exact, as_float };

/// The size of an element.
template <class Real>
constexpr std::size_t element_size(bool real) noexcept {
  return real ? sizeof(Real) : sizeof(std::complex<Real>);
}

/// The same as it travels.
template <class Real>
constexpr std::size_t size_on_wire(bool real, Wire wire) noexcept {
  return wire == Wire::as_float ? element_size<float>(real) : element_size<Real>(real);
}

}  // namespace fg::fft
