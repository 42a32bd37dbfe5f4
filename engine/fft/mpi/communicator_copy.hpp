// SPDX-License-Identifier: BSD-3-Clause
//
// One duplicate of a communicator for all transforms over it, since MPI has few communicators; it
// is freed with the communicator. Each transform has a tag of its own.
#pragma once

#include <mpi.h>

namespace fg::fft {

struct CommunicatorCopy {
  MPI_Comm comm;
  int next_tag = 0;
  bool in_collective = false;  // whether a transform with collective calls goes on
};

/// Collective. The object lives as long as `comm`.
CommunicatorCopy& copy_of(MPI_Comm comm);

/// The next of the copy's tags; the same on all ranks, which call it in the same order. After the
/// last one the first is used again.
int take_tag(CommunicatorCopy& copy);

}  // namespace fg::fft
