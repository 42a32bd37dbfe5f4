// SPDX-License-Identifier: BSD-3-Clause
//
// What the standard library throws when the machine has no more to give, as errors of ours.
#pragma once

#include <cmath>
#include <new>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace fg {

/// A lack of memory in a job whose need is known.
class JobWithoutMemory : public std::bad_alloc {
 public:
  explicit JobWithoutMemory(double bytes) noexcept : bytes_(bytes) {}
  /// The memory in words; empty if it is not known.
  std::string needed() const {
    if (!(bytes_ > 0 && bytes_ < 1e18)) return {};
    return "it takes about " + std::to_string(std::llround(bytes_ / 1e6)) +
           " MB besides the program itself";
  }

 private:
  double bytes_;
};

inline ResourceError no_memory(const std::bad_alloc& error) {
  const auto* const job = dynamic_cast<const JobWithoutMemory*>(&error);
  return ResourceError({.what = "not enough memory",
                        .limit = job ? job->needed() : std::string(),
                        .hint = "use a smaller system or another machine, or raise the limit "
                                "(ulimit -v); `finegrain check` says how much a run takes"});
}

/// Threads and files that the system does not give.
inline ResourceError refused_by_system(const std::system_error& error) {
  return ResourceError({.what = std::string("the system refuses what is needed: ") + error.what(),
                        .hint = "use fewer PEs, or raise the limits on memory and processes "
                                "(ulimit -v, ulimit -u)"});
}

}  // namespace fg
