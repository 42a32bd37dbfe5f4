// SPDX-License-Identifier: BSD-3-Clause
//
// The transport over MPI (Open MPI, MPICH), on communicators of its own.
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace fg {

/// Whether this MPI runs its processes on a machine that is simulated, in one thread and by turns.
#ifdef FG_SIMULATED
inline constexpr bool simulated = true;
#else
inline constexpr bool simulated = false;
#endif

struct MpiOptions {
  /// Ways between the processes that different threads can drive at the same time; with more than
  /// one, MPI has to allow calls of several threads at once.
  int channels = 1;
  /// The processes have one thread each and block in MPI when they have nothing to do.
  bool single_threaded = simulated;
  /// Whether processes of a host may share memory; alike in all of them.
  bool share_memory = true;
};

/// By all processes of MPI_COMM_WORLD; initialises MPI, and ends it with the transport, unless the
/// program has done so itself. Throws ResourceError where MPI cannot be used by as many threads.
std::unique_ptr<Transport> make_mpi_transport(const MpiOptions& options = {});

}  // namespace fg
