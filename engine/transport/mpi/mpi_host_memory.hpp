// SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a host agree on memory that all of them map at the same addresses.
#pragma once

#include <mpi.h>

namespace fg::mpi {

/// Called by all processes of a host. Returns, in all of them, whether a message in HostMemory may
/// go from any of them to any other by its address. What they agreed on earlier stays. If only some
/// processes have such memory, or if they have it with others, the answer is false.
bool agree_on_host_memory(MPI_Comm host);

}  // namespace fg::mpi
