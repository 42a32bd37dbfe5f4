// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/pencils.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "base/error.hpp"
#include "topology/placement/pe_selection.hpp"

namespace fg::topology {

namespace {

/// Where some patches are on the average, as sums over them.
struct Mean {
  std::array<std::int64_t, 2> sum{};
  std::int64_t patches = 0;

  void add(int x, int y) noexcept {
    sum[0] += x;
    sum[1] += y;
    ++patches;
  }
};

/// The difference of two means has the sign of this number.
std::int64_t compared(const Mean& a, const Mean& b, std::size_t axis) noexcept {
  return a.sum[axis] * b.patches - b.sum[axis] * a.patches;
}

/// The mean of each PE.
std::vector<Mean> means_of(const std::array<int, 3>& sides, std::span<const int> pe_of_patch,
                           std::span<const PePlace> pes) {
  std::vector<Mean> of_pe(pes.size());
  std::map<int, Mean> of_process, of_host;
  Mean of_all;
  for (std::size_t patch = 0; patch < pe_of_patch.size(); ++patch) {
    const int column = static_cast<int>(patch) / sides[2];
    const int x = column / sides[1], y = column % sides[1];
    const auto pe = static_cast<std::size_t>(pe_of_patch[patch]);
    for (Mean* const mean :
         {&of_pe[pe], &of_process[pes[pe].process], &of_host[pes[pe].host], &of_all})
      mean->add(x, y);
  }
  for (std::size_t pe = 0; pe < pes.size(); ++pe) {
    if (of_pe[pe].patches > 0) continue;
    of_pe[pe] = of_process[pes[pe].process];
    if (of_pe[pe].patches == 0) of_pe[pe] = of_host[pes[pe].host];
    if (of_pe[pe].patches == 0) of_pe[pe] = of_all;
  }
  return of_pe;
}

class Bisection {
 public:
  Bisection(const std::array<int, 2>& pencils, std::vector<Mean> means, std::span<const int> chosen)
      : columns_(pencils[1]), means_(std::move(means)), pe_of_(chosen.size()) {
    std::vector<int> pes(chosen.begin(), chosen.end());
    divide({0, 0}, pencils, pes);
  }
  std::vector<int> take() { return std::move(pe_of_); }

 private:
  /// Pencils from `begin`, of the shape `count`, and as many PEs.
  void divide(std::array<int, 2> begin, std::array<int, 2> count, std::span<int> pes) {
    if (pes.size() == 1) {
      pe_of_[static_cast<std::size_t>(begin[0] * columns_ + begin[1])] = pes[0];
      return;
    }
    const std::size_t axis = count[1] > count[0] ? 1 : 0;
    std::ranges::sort(pes, [&](int a, int b) {
      const Mean &of_a = means_[static_cast<std::size_t>(a)],
                 &of_b = means_[static_cast<std::size_t>(b)];
      if (const auto sign = compared(of_a, of_b, axis); sign != 0) return sign < 0;
      if (const auto sign = compared(of_a, of_b, 1 - axis); sign != 0) return sign < 0;
      return a < b;
    });
    std::array<int, 2> below = count, above = count, middle = begin;
    below[axis] /= 2;
    above[axis] -= below[axis];
    middle[axis] += below[axis];
    const auto pes_below = static_cast<std::size_t>(below[0] * below[1]);
    divide(begin, below, pes.first(pes_below));
    divide(middle, above, pes.subspan(pes_below));
  }

  int columns_;
  std::vector<Mean> means_;  // [PEs]
  std::vector<int> pe_of_;   // [pencils]
};

}  // namespace

std::vector<int> pencil_pes(std::span<const PePlace> pes, int pencils,
                            const std::vector<bool>& last) {
  const std::vector<int> order = order_of_choice(pes, last);
  FG_CHECK(!order.empty());
  std::vector<int> chosen;
  chosen.reserve(static_cast<std::size_t>(pencils));
  for (int i = 0; i < pencils; ++i)
    chosen.push_back(order[static_cast<std::size_t>(i) % order.size()]);
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<bool> pes_with_patches(std::span<const int> pe_of_patch, std::size_t pes) {
  std::vector<bool> with(pes);
  for (const int pe : pe_of_patch) with.at(static_cast<std::size_t>(pe)) = true;
  return with;
}

std::vector<int> z_pencil_places(const std::array<int, 2>& pencils,
                                 const std::array<int, 3>& patch_sides,
                                 std::span<const int> pe_of_patch, std::span<const PePlace> pes,
                                 std::span<const int> chosen) {
  FG_CHECK(chosen.size() == static_cast<std::size_t>(pencils[0] * pencils[1]));
  FG_CHECK(!pe_of_patch.empty());
  if (chosen.empty()) return {};
  return Bisection(pencils, means_of(patch_sides, pe_of_patch, pes), chosen).take();
}

PlanePencils plane_pencil_places(const std::array<int, 2>& shape, std::span<const int> chosen) {
  FG_CHECK(!chosen.empty());
  const auto along = static_cast<std::size_t>(shape[0]),
             planes = static_cast<std::size_t>(shape[1]);
  const std::size_t pencils = along * planes;
  const bool apart = chosen.size() >= 2 * pencils;
  // Places in a row: plane by plane, in each the y-pencils and then, if they are apart, the others.
  const std::size_t places = apart ? 2 * pencils : pencils;
  const auto at = [&](std::size_t place) { return chosen[place * chosen.size() / places]; };
  PlanePencils found{std::vector<int>(pencils), std::vector<int>(pencils)};
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t i = 0; i < along; ++i) {
      const std::size_t pencil = i * planes + plane;
      const std::size_t y = plane * places / planes + i;
      found.y[pencil] = at(y);
      found.x[pencil] = at(apart ? y + along : y);
    }
  return found;
}

}  // namespace fg::topology
