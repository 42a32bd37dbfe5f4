// SPDX-License-Identifier: BSD-3-Clause
//
// Calls of MPI that fail with a ResourceError.
#pragma once

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/error.hpp"

namespace fg::mpi {

inline void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw ResourceError({.what = std::string("the network failed in ") + call + ": " +
                               std::string(text.data(), static_cast<std::size_t>(length)),
                       .hint = "a process or a host was lost; resume from the last checkpoint"});
}
#define FG_MPI(call, ...) ::fg::mpi::check(call(__VA_ARGS__), #call)

inline bool done(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;  // which not every MPI_Test says
  int flag = 0;
  FG_MPI(MPI_Test, &request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

/// On the clock of the machine that the processes run on.
inline void sleep_microseconds(unsigned microseconds) {
#ifdef FG_SIMULATED
  smpi_usleep(microseconds);
#else
  usleep(microseconds);
#endif
}

/// Gives the core away once nothing has come for a while, so that processes may share cores.
class Patience {
 public:
  void wait() noexcept {
    if (++turns_ > 200) sched_yield();
  }

 private:
  int turns_ = 0;
};

/// Waits without sleeping in MPI, which would not let others have the core.
inline void complete(MPI_Request& request) {
  Patience patience;
  while (!done(request)) patience.wait();
}

}  // namespace fg::mpi
