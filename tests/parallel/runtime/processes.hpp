// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by tests on several processes: the transport, and the numbers of PEs and communication
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/runtime.hpp"
#include "support/mpi_transport.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::test {

/// For processes without threads, like simulated ones.
inline Transport& single_threaded_transport() {
  transport();  // initialises MPI, and finalises it at the end
  static const std::unique_ptr<Transport> all = make_mpi_transport({.single_threaded = true});
  return *all;
}

inline RuntimeOptions options(int pes, int comm_threads = 0) {
  if (pes == 0) return {.pes = 1, .transport = &single_threaded_transport()};
  return {.pes = pes, .transport = &transport(), .comm_threads = comm_threads};
}

/// Hosts by process: as they are, and dealt out to two in turn, whatever the real ones.
inline std::vector<std::vector<int>> ways_to_share_hosts() {
  std::vector<int> in_turn;
  for (int process = 0; process < transport().processes(); ++process)
    in_turn.push_back(process % 2);
  return {{}, std::move(in_turn)};
}

/// PEs and communication threads of a process: the three modes, and one PE on the caller's thread.
inline constexpr std::pair<int, int> modes[] = {{1, 0}, {2, 0}, {3, 0}, {1, 1},
                                                {2, 1}, {2, 2}, {0, 0}};

/// Adds up the numbers of all processes, in process 0; digests may overflow.
inline std::vector<std::int64_t> added_up(std::vector<std::int64_t> mine) {
  const auto parts = transport().gather(std::as_bytes(std::span(mine)));
  for (std::size_t process = 1; process < parts.size(); ++process)
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto theirs = reinterpret_cast<const std::uint64_t*>(parts[process].data())[i];
      mine[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(mine[i]) + theirs);
    }
  return mine;
}

}  // namespace fg::test
