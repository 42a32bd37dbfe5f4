// SPDX-License-Identifier: BSD-3-Clause
#include "app/check.hpp"

#include "classical/system.hpp"
#include "records/job.hpp"

namespace fg::app {

void check_job_file(const std::string& name, std::span<const std::byte> file) {
  const Job job = read_job(name, file);
  const classical::System system(job);
}

}  // namespace fg::app
