// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/communicator_copy.hpp"

#include <memory>

#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

int free_copy(MPI_Comm, int, void* attribute, void*) {
  auto* const copy = static_cast<CommunicatorCopy*>(attribute);
  const int status = MPI_Comm_free(&copy->comm);
  delete copy;
  return status;
}

int key() {
  static const int made = [] {
    int result = MPI_KEYVAL_INVALID;
    FG_MPI(MPI_Comm_create_keyval, MPI_COMM_NULL_COPY_FN, free_copy, &result, nullptr);
    return result;
  }();
  return made;
}

}  // namespace

CommunicatorCopy& copy_of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  FG_MPI(MPI_Comm_get_attr, comm, key(), &found, &is_there);
  if (is_there != 0) return *static_cast<CommunicatorCopy*>(found);
  auto copy = std::make_unique<CommunicatorCopy>(CommunicatorCopy{MPI_COMM_NULL});
  FG_MPI(MPI_Comm_dup, comm, &copy->comm);
  FG_MPI(MPI_Comm_set_errhandler, copy->comm, MPI_ERRORS_RETURN);
  FG_MPI(MPI_Comm_set_attr, comm, key(), copy.get());
  return *copy.release();
}

int take_tag(CommunicatorCopy& copy) {
  constexpr int tags = 32768;  // MPI promises that many
  return copy.next_tag++ % tags;
}

}  // namespace fg::fft
