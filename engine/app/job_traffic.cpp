// SPDX-License-Identifier: BSD-3-Clause
#include "app/job_traffic.hpp"

#include "app/kinds.hpp"
#include "base/error.hpp"

namespace fg::app {

JobTraffic job_traffic(const std::string& name, std::span<const std::byte> file,
                       const std::string& map, const topology::PeLayout& layout) {
  const JobFile contents(name, file);
  const RunKind& kind = kind_of(contents);
  FG_CHECK(kind.traffic != nullptr);
  return kind.traffic(contents, map, layout);
}

}  // namespace fg::app
