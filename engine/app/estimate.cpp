// SPDX-License-Identifier: BSD-3-Clause
#include "app/estimate.hpp"

#include <array>

#include "classical/division/cut_cells.hpp"

namespace fg::app {

namespace {

Job classical_job(const std::string& name, std::span<const std::byte> file) {
  const JobFile contents(name, file);
  contents.require_kind(std::array{classical_kind});
  return read_job(contents);
}

}  // namespace

std::vector<std::optional<classical::StepEstimate>> estimate_steps(
    const std::string& name, std::span<const std::byte> file,
    std::span<const classical::Division> divisions, int pes) {
  const Job job = classical_job(name, file);
  const std::array own{classical::division_of(job)};
  return classical::estimate_steps(job, divisions.empty() ? std::span(own) : divisions, pes);
}

CellCut cut_cells(const std::string& name, std::span<const std::byte> file,
                  const std::array<int, 3>& shape) {
  return classical::cut_cells(classical_job(name, file), shape);
}

}  // namespace fg::app
