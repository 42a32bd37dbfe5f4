// SPDX-License-Identifier: BSD-3-Clause
//
// The transport over MPI (Open MPI, MPICH), on communicators of its own.
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace fg {

/// Whether this MPI runs its processes on a simulated machine, in turns in one thread.
#ifdef FG_SIMULATED
inline constexpr bool simulated = true;
#else
inline constexpr bool simulated = false;
#endif

struct MpiOptions {
  /// Connections that different threads can drive at the same time. With more than one, MPI must
  /// allow calls from several threads at once.
  int channels = 1;
  /// The processes have one thread each and block in MPI when they have nothing to do.
  bool single_threaded = simulated;
  /// Whether processes of a host may share memory; must be the same in all processes.
  bool share_memory = true;
};

/// Called by all processes of MPI_COMM_WORLD. Initialises MPI, and finalises it with the transport,
/// unless the program has initialised MPI itself. Throws ResourceError if MPI does not support the
/// number of threads.
std::unique_ptr<Transport> make_mpi_transport(const MpiOptions& options = {});

}  // namespace fg
