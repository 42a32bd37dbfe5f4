// SPDX-License-Identifier: BSD-3-Clause
#include "particles/listed_pairs.hpp"

namespace fg {

namespace {

/// Bits: as those of MaskedPartner that say which pairs exist.
constexpr std::uint32_t all_exist = 0xFFFF;

template <class Real>
class Counter {
 public:
  Counter(const Neighbourhood<Real>& neighbourhood, double radius) noexcept
      : neighbourhood_(neighbourhood),
        radius2_(static_cast<Real>(radius * neighbourhood.length_scale()) *
                 static_cast<Real>(radius * neighbourhood.length_scale())) {}

  std::int64_t between(std::uint32_t home, std::uint32_t partner,
                       std::uint32_t bits) const noexcept {
    std::int64_t count = 0;
    for (int column = 0; column < atoms_at(partner); ++column)
      for (int row = 0; row < atoms_at(home); ++row)
        if ((bits >> (4 * column + row) & 1) != 0 && near(home + row, partner + column)) ++count;
    return count;
  }

 private:
  int atoms_at(std::uint32_t offset) const noexcept {
    const auto number = static_cast<std::int32_t>(offset / quad::stride);
    return number == neighbourhood_.blank_quad() ? 0 : neighbourhood_.atoms_in(number);
  }
  bool near(std::uint32_t a, std::uint32_t b) const noexcept {
    const Real* const from = neighbourhood_.data();
    const Real x = from[a + quad::x] - from[b + quad::x], y = from[a + quad::y] - from[b + quad::y],
               z = from[a + quad::z] - from[b + quad::z];
    return x * x + y * y + z * z < radius2_;
  }

  const Neighbourhood<Real>& neighbourhood_;
  Real radius2_;
};

}  // namespace

template <class Real>
std::int64_t listed_pairs(const Neighbourhood<Real>& neighbourhood, const PairList& list,
                          double radius) noexcept {
  const Counter<Real> counter(neighbourhood, radius);
  std::int64_t count = 0;
  for (const PairRow& row : list.rows) {
    for (std::uint32_t m = row.masked_begin; m < row.masked_end; ++m)
      count += counter.between(row.home, list.masked[m].partner, list.masked[m].bits >> 16);
    for (std::uint32_t f = row.free_begin; f < row.free_end; ++f)
      count += counter.between(row.home, list.free[f], all_exist);
  }
  return count;
}

template std::int64_t listed_pairs(const Neighbourhood<float>&, const PairList&, double) noexcept;
template std::int64_t listed_pairs(const Neighbourhood<double>&, const PairList&, double) noexcept;

}  // namespace fg
