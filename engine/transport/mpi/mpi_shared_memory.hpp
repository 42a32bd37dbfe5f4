// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that the processes of a host share: an MPI shared window in which each process writes for
// the others.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace fg::mpi {

class SharedMemories {
 public:
  /// Called by all processes of `together`.
  explicit SharedMemories(MPI_Comm together);
  ~SharedMemories();
  SharedMemories(const SharedMemories&) = delete;
  SharedMemories& operator=(const SharedMemories&) = delete;

  int processes_here() const noexcept { return size_; }
  int rank_here() const noexcept { return rank_; }
  MPI_Comm host() const noexcept { return host_; }
  /// The ranks in `together` of this host's processes, by place on the host.
  std::span<const int> processes() const noexcept { return processes_; }

  /// Like Transport::share. Also null if the host has not enough room.
  std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes);

 private:
  class Window;
  struct Wanted;
  std::vector<Wanted> tell_each_other(std::span<const std::size_t> bytes) const;
  std::shared_ptr<Window> unused_window(const std::vector<Wanted>& wanted) const;
  std::shared_ptr<Window> make_window(const std::vector<Wanted>& wanted) const;

  MPI_Comm host_ = MPI_COMM_NULL;
  int size_ = 1, rank_ = 0;
  std::size_t all_processes_ = 1;
  std::vector<int> processes_;
  std::vector<std::shared_ptr<Window>> windows_;
};

}  // namespace fg::mpi
