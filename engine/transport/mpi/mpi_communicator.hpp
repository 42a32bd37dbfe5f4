// SPDX-License-Identifier: BSD-3-Clause
//
// The transport between some processes only: for programs that use MPI themselves, which this
// header brings.
#pragma once

#include <mpi.h>

#include <memory>

#include "transport/mpi/mpi_transport.hpp"

namespace fg {

/// By all processes of `processes`, which is duplicated and stays the caller's; its ranks are those
/// of the transport. The caller has initialised MPI, with threads as MpiOptions asks for, and ends
/// it after the transport. Throws as make_mpi_transport.
std::unique_ptr<Transport> make_mpi_transport(MPI_Comm processes, const MpiOptions& options = {});

}  // namespace fg
