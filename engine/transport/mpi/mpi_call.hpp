// SPDX-License-Identifier: BSD-3-Clause
//
// Calls of MPI that throw a ResourceError on failure.
#pragma once

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

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
  if (request == MPI_REQUEST_NULL) return true;  // not every MPI_Test reports this
  int flag = 0;
  FG_MPI(MPI_Test, &request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

/// Uses the clock of the machine on which the processes run.
inline void sleep_microseconds(unsigned microseconds) {
#ifdef FG_SIMULATED
  smpi_usleep(microseconds);
#else
  usleep(microseconds);
#endif
}

/// Yields the core after a while without arrivals, so that processes can share cores.
class Patience {
 public:
  void wait() noexcept {
    if (++turns_ > 200) sched_yield();
  }

 private:
  int turns_ = 0;
};

/// The same for waits in which no time step is under way. It sleeps: a yield would put the process
/// behind the others of its core by a whole time slice (Linux since 6.18). On a simulated machine
/// nobody shares a core.
class LongPatience {
 public:
  void wait() noexcept {
#ifndef FG_SIMULATED
    if (++turns_ > 200) usleep(2);
#endif
  }

 private:
  [[maybe_unused]] int turns_ = 0;
};

/// Waits by polling, because a blocking wait in MPI would keep the core from other processes.
inline void complete(MPI_Request& request) {
  LongPatience patience;
  while (!done(request)) patience.wait();
}

/// The values of all processes, as many of each, in the order of their ranks. Called by all.
template <class T>
std::vector<T> gather_all(MPI_Comm together, std::span<const T> mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  int size = 0;
  FG_MPI(MPI_Comm_size, together, &size);
  std::vector<T> all(mine.size() * static_cast<std::size_t>(size));
  const int bytes = static_cast<int>(mine.size_bytes());
  MPI_Request request = MPI_REQUEST_NULL;
  FG_MPI(MPI_Iallgather, mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, together,
         &request);
  complete(request);
  return all;
}
template <class T>
std::vector<T> gather_all(MPI_Comm together, const T& mine) {
  return gather_all(together, std::span<const T>(&mine, 1));
}

}  // namespace fg::mpi
