// SPDX-License-Identifier: BSD-3-Clause
//
// One duplicate of a communicator for all transforms over it, since MPI has few communicators. The
// communicator and each transform own it, so that its owner may free the communicator first. Each
// transform has a tag of its own.
#pragma once

#include <mpi.h>

#include <memory>

namespace fg::fft {

struct CommunicatorCopy {
  CommunicatorCopy() = default;
  CommunicatorCopy(const CommunicatorCopy&) = delete;
  CommunicatorCopy& operator=(const CommunicatorCopy&) = delete;
  /// Frees the duplicate, unless MPI is over.
  ~CommunicatorCopy();

  MPI_Comm comm = MPI_COMM_NULL;
  int next_tag = 0;
  bool in_collective = false;  // whether a transform with collective calls goes on
};

/// Collective.
std::shared_ptr<CommunicatorCopy> copy_of(MPI_Comm comm);

/// The next of the copy's tags; the same on all ranks, which call it in the same order. After the
/// last one the first is used again.
int take_tag(CommunicatorCopy& copy);

}  // namespace fg::fft
