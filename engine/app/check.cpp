// SPDX-License-Identifier: BSD-3-Clause
#include "app/check.hpp"

#include "app/kinds.hpp"

namespace fg::app {

void check_job_file(const std::string& name, std::span<const std::byte> file) {
  load(JobFile(name, file), {});
}

}  // namespace fg::app
