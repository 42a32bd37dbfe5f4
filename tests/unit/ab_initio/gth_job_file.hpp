// SPDX-License-Identifier: BSD-3-Clause
//
// Writes an ab initio job as a file, in the same form as Python writes it.
#pragma once

#include <functional>
#include <string>

#include "ab_initio/job/job.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::test {

/// `change` may damage the open file before it is closed.
void write_ab_initio_job(const std::string& path, const ab_initio::Job& job,
                         const std::function<void(hid_t)>& change = {});

/// The job that the engine reads from such a file.
ab_initio::Job read_again(const ab_initio::Job& job, const std::function<void(hid_t)>& change = {});

/// What it says when it refuses the file, with a hint; "accepted" if it does not.
std::string refusal_of(const ab_initio::Job& job, const std::function<void(hid_t)>& change = {});

}  // namespace fg::test
