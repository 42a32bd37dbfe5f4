// SPDX-License-Identifier: BSD-3-Clause
//
// MPI is begun before the first test and ended after the last; between them the user's cache is an
// empty folder that all processes of this test share.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fg::test {

class MpiWithCache final : public ::testing::Environment {
 public:
  void SetUp() override {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    long id = getpid();
    MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    folder_ = std::filesystem::temp_directory_path() / ("cache_of_a_test_" + std::to_string(id));
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::filesystem::remove_all(folder_);
    MPI_Finalize();
  }

 private:
  std::filesystem::path folder_;
};
[[maybe_unused]] inline const auto* const mpi_with_cache =
    ::testing::AddGlobalTestEnvironment(new MpiWithCache);

}  // namespace fg::test
