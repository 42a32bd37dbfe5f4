// SPDX-License-Identifier: BSD-3-Clause
#include "app/estimate.hpp"

#include <array>

namespace fg::app {

std::vector<std::optional<classical::StepEstimate>> estimate_steps(
    const std::string& name, std::span<const std::byte> file,
    std::span<const classical::Division> divisions, int pes) {
  const JobFile contents(name, file);
  contents.require_kind(std::array{classical_kind});
  const Job job = read_job(contents);
  const std::array own{classical::division_of(job)};
  return classical::estimate_steps(job, divisions.empty() ? std::span(own) : divisions, pes);
}

}  // namespace fg::app
