// SPDX-License-Identifier: BSD-3-Clause
#include "app/kinds.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ab_initio/calculation.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/job_traffic.hpp"
#include "ab_initio/prediction/job_forecast.hpp"
#include "classical/calculation.hpp"
#include "classical/job_traffic.hpp"
#include "classical/prediction/job_forecast.hpp"
#include "records/job/job.hpp"

namespace fg::app {

std::span<const RunKind> kinds() {
  static constexpr RunKind all[] = {
      {classical_kind, classical::load, job_keys, classical::job_traffic, classical::job_forecast},
      {ab_initio::kind_name, ab_initio::load, ab_initio::job_keys, ab_initio::job_traffic,
       ab_initio::job_forecast},
  };
  return all;
}

const RunKind& kind_of(const JobFile& file, std::span<const RunKind> known) {
  std::vector<std::string_view> names;
  for (const RunKind& kind : known) names.push_back(kind.name);
  file.require_kind(names);
  return *std::ranges::find(known, file.kind(), &RunKind::name);
}

std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options,
                                  std::span<const RunKind> known) {
  return kind_of(file, known).load(file, options);
}

void check_job_file(const std::string& name, std::span<const std::byte> file) {
  load(JobFile(name, file), {});
}

}  // namespace fg::app
