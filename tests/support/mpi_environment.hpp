// SPDX-License-Identifier: BSD-3-Clause
//
// MPI is begun before the first test and ended after the last. For one source of a test program.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

namespace fg::test {

inline int ranks_of_mpi() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
inline int rank_of_mpi() {
  int mine = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  return mine;
}

class MpiEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  }
  void TearDown() override { MPI_Finalize(); }
};
[[maybe_unused]] inline const auto* const mpi_environment =
    ::testing::AddGlobalTestEnvironment(new MpiEnvironment);

}  // namespace fg::test
