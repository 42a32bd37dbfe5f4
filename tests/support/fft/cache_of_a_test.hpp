// SPDX-License-Identifier: BSD-3-Clause
//
// While the tests run, the user's cache is an empty folder that all processes share.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/mpi_environment.hpp"

namespace fg::test {

/// Set up after MPI, and taken down before.
class CacheOfATest final : public ::testing::Environment {
 public:
  void SetUp() override {
    long id = getpid();
    MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    folder_ = std::filesystem::temp_directory_path() / ("cache_of_a_test_" + std::to_string(id));
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_of_mpi() == 0) std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path folder_;
};
[[maybe_unused]] inline const auto* const cache_of_a_test =
    ::testing::AddGlobalTestEnvironment(new CacheOfATest);

}  // namespace fg::test
