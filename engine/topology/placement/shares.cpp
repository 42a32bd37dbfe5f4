// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/shares.hpp"

#include <algorithm>
#include <cstddef>

namespace fg::topology {

std::int64_t fair_part(std::int64_t load, const PeSum& below, const PeSum& above) {
  const std::int64_t whole = load + below.already + above.already;
  const std::int64_t shares = below.share + above.share;
  // In two steps, because the product of a load and a share may exceed 64 bits.
  const std::int64_t part = whole / shares * below.share + whole % shares * below.share / shares;
  return std::clamp<std::int64_t>(part - below.already, 0, load);
}

std::int64_t nearest_cut(std::span<const std::int64_t> loads, std::int64_t wanted,
                         std::int64_t least, std::int64_t most) {
  std::int64_t sum = 0, cut = 0;
  for (; cut < least; ++cut) sum += loads[static_cast<std::size_t>(cut)];
  // Goes on as long as one more comes nearer.
  for (; cut < most; ++cut) {
    const std::int64_t next = sum + loads[static_cast<std::size_t>(cut)];
    if (next - wanted >= wanted - sum) break;
    sum = next;
  }
  return cut;
}

}  // namespace fg::topology
