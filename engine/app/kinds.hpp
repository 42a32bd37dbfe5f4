// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of runs that this engine knows, and the choice of one by the job file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "runs/calculation.hpp"

namespace fg::app {

std::span<const RunKind> kinds();

/// Throws InputError, with the names of all kinds, if the job is of none of them.
const RunKind& kind_of(const JobFile& file, std::span<const RunKind> known = kinds());

/// Throws as kind_of, and what the kind throws.
std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options,
                                  std::span<const RunKind> known = kinds());

/// Does what a run does before its first object. It takes the bytes of a job file, which need not
/// be on disk. Throws the fg::Error that the run would throw; `name` is the file's name in the
/// error.
void check_job_file(const std::string& name, std::span<const std::byte> file);

}  // namespace fg::app
