// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job_cells.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace fg {

std::optional<CellCut> read_cells(const h5::Reader& file) {
  const std::string at = "/midpoint_cells";
  if (!file.has(at)) return std::nullopt;
  const auto shape = file.array<std::int32_t>(at + "/shape");
  CellCut cut;
  if (shape.size() != cut.shape.size()) file.fail("there is not one number for each axis", at);
  std::ranges::copy(shape, cut.shape.begin());
  cut.planes = file.array<std::int32_t>(at + "/planes");
  return cut;
}

void add_cells(Sha256& sum, const std::optional<CellCut>& cells) {
  if (!cells) return;
  sum.add(std::string_view("midpoint cells"));
  for (const int count : cells->shape) sum.add(static_cast<std::uint64_t>(count));
  for (const std::int32_t plane : cells->planes) sum.add(static_cast<std::uint64_t>(plane));
}

}  // namespace fg
