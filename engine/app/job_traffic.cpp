// SPDX-License-Identifier: BSD-3-Clause
#include "app/job_traffic.hpp"

#include "app/kinds.hpp"

namespace fg::app {

JobTraffic job_traffic(const std::string& name, std::span<const std::byte> file,
                       const std::string& map, const topology::PeLayout& layout) {
  const JobFile contents(name, file);
  return kind_of(contents).traffic(contents, map, layout);
}

}  // namespace fg::app
