// SPDX-License-Identifier: BSD-3-Clause
//
// Checks whether the engine accepts a job, before anything is written or started.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace fg::app {

/// Does what a run does before its first object, with the bytes of a job file, which need not be on
/// disk. Throws the fg::Error that the run would throw; `name` is the file's name in the error.
void check_job_file(const std::string& name, std::span<const std::byte> file);

}  // namespace fg::app
