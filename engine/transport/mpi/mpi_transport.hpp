// SPDX-License-Identifier: BSD-3-Clause
//
// The transport over MPI, on a communicator of its own. Small packets go eagerly into receives that
// are posted ahead, within a window of credits per pair of processes; the bytes of a larger message
// follow by themselves, out of the sender's buffer and into the receiver's. MPI is called by one
// thread at a time. Blocking calls of MPI appear nowhere.
// Compiled once for each MPI; nothing of <mpi.h> shows here.
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace fg {

/// Starts MPI, or uses it if the caller has, and ends it only in the first case. Throws
/// ResourceError when the MPI library cannot be called by several threads in turn.
std::unique_ptr<Transport> make_mpi_transport();

}  // namespace fg
