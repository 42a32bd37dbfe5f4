// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/communicator_copy.hpp"

#include <memory>

#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

using Shared = std::shared_ptr<CommunicatorCopy>;

int leave_copy(MPI_Comm, int, void* attribute, void*) {
  delete static_cast<Shared*>(attribute);
  return MPI_SUCCESS;
}

int key() {
  static const int made = [] {
    int result = MPI_KEYVAL_INVALID;
    FG_MPI(MPI_Comm_create_keyval, MPI_COMM_NULL_COPY_FN, leave_copy, &result, nullptr);
    return result;
  }();
  return made;
}

}  // namespace

CommunicatorCopy::~CommunicatorCopy() {
  int is_over = 0;
  if (comm == MPI_COMM_NULL || MPI_Finalized(&is_over) != MPI_SUCCESS || is_over != 0) return;
  MPI_Comm_free(&comm);
}

Shared copy_of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  FG_MPI(MPI_Comm_get_attr, comm, key(), &found, &is_there);
  if (is_there != 0) return *static_cast<Shared*>(found);
  auto copy = std::make_unique<Shared>(std::make_shared<CommunicatorCopy>());
  FG_MPI(MPI_Comm_dup, comm, &(*copy)->comm);
  FG_MPI(MPI_Comm_set_errhandler, (*copy)->comm, MPI_ERRORS_RETURN);
  FG_MPI(MPI_Comm_set_attr, comm, key(), copy.get());
  return *copy.release();
}

int take_tag(CommunicatorCopy& copy) {
  constexpr int tags = 32768;  // MPI promises that many
  return copy.next_tag++ % tags;
}

}  // namespace fg::fft
