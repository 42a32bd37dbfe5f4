// SPDX-License-Identifier: BSD-3-Clause
//
// A transport between some processes only, for programs that use MPI themselves. This header
// includes MPI.
#pragma once

#include <mpi.h>

#include <memory>

#include "transport/mpi/mpi_transport.hpp"

namespace fg {

/// Called by all processes of `processes`, which is duplicated and remains the caller's; the ranks
/// are those of the transport. The caller has initialised MPI, with the thread support that
/// MpiOptions needs, and finalises it after the transport. Throws like make_mpi_transport.
std::unique_ptr<Transport> make_mpi_transport(MPI_Comm processes, const MpiOptions& options = {});

}  // namespace fg
