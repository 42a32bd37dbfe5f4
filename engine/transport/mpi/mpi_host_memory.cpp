// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_host_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "transport/host_memory.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::mpi {

namespace {

bool all_of_them(MPI_Comm host, bool mine) {
  const auto all = gather_all(host, static_cast<int>(mine));
  return std::all_of(all.begin(), all.end(), [](int its) { return its != 0; });
}

/// The first addresses that are free in all processes, or null.
std::unique_ptr<HostMemory> reserve_together(MPI_Comm host, int size, int rank) {
  for (int tries = 0; tries < HostMemory::most_tries; ++tries) {
    auto memory = HostMemory::reserve(size, rank, tries);
    if (all_of_them(host, memory != nullptr)) return memory;
  }
  return nullptr;
}

}  // namespace

bool agree_on_host_memory(MPI_Comm host) {
  int size = 0, rank = 0;
  FG_MPI(MPI_Comm_size, host, &size);
  FG_MPI(MPI_Comm_rank, host, &rank);
  if (size == 1) return false;
  const HostMemory* const earlier = HostMemory::installed();
  const auto groups = gather_all(host, earlier ? earlier->group() : std::uint64_t{0});
  if (std::any_of(groups.begin(), groups.end(), [](std::uint64_t group) { return group != 0; }))
    return std::all_of(groups.begin(), groups.end(),
                       [&](std::uint64_t group) { return group == groups.front(); });

  std::unique_ptr<HostMemory> memory = reserve_together(host, size, rank);
  if (!memory) return false;
  const auto handles = gather_all(host, memory->make_slice());
  bool mapped = handles[static_cast<std::size_t>(rank)].file >= 0;
  for (int other = 0; other < size; ++other)
    if (other != rank)
      mapped = mapped && memory->map_slice(other, handles[static_cast<std::size_t>(other)]);
  if (!all_of_them(host, mapped)) return false;
  HostMemory::install(std::move(memory), handles.front().secret);
  return true;
}

}  // namespace fg::mpi
