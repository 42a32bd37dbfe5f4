// SPDX-License-Identifier: BSD-3-Clause
#include "app/job_prediction.hpp"

#include "app/kinds.hpp"
#include "base/error.hpp"

namespace fg::app {

StepForecast job_prediction(const std::string& name, std::span<const std::byte> file,
                            const std::string& map, const RunPlaces& places) {
  const JobFile contents(name, file);
  const RunKind& kind = kind_of(contents);
  FG_CHECK(kind.forecast != nullptr);
  return kind.forecast(contents, map, places);
}

}  // namespace fg::app
