// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/object_row.hpp"

#include "runtime/places/consecutive.hpp"

namespace fg::classical {

void ObjectRow::add(std::span<const ObjectWork> work, std::span<int> pes,
                    std::span<const int> patches) {
  for (std::size_t i = 0; i < work.size(); ++i)
    at_patch_[static_cast<std::size_t>(patches[i])].push_back({work[i].picoseconds(), &pes[i]});
}

std::vector<std::int64_t> ObjectRow::loads() const {
  std::vector<std::int64_t> sums;
  sums.reserve(at_patch_.size());
  for (const auto& objects : at_patch_) {
    std::int64_t& sum = sums.emplace_back();
    for (const Object& object : objects) sum += object.work;
  }
  return sums;
}

void ObjectRow::place(std::span<const int> order, std::span<const int> pes,
                      std::vector<std::int64_t>& already) const {
  std::vector<Object> row;
  for (const int patch : order) {
    const auto& here = at_patch_[static_cast<std::size_t>(patch)];
    row.insert(row.end(), here.begin(), here.end());
  }
  std::vector<std::int64_t> costs, besides;
  costs.reserve(row.size());
  for (const Object& object : row) costs.push_back(object.work);
  besides.reserve(pes.size());
  for (const int pe : pes) besides.push_back(already[static_cast<std::size_t>(pe)]);
  const std::vector<int> places = balance::consecutive(costs, besides);
  for (std::size_t i = 0; i < row.size(); ++i) {
    *row[i].pe = pes[static_cast<std::size_t>(places[i])];
    already[static_cast<std::size_t>(*row[i].pe)] += row[i].work;
  }
}

}  // namespace fg::classical
