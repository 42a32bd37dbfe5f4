// SPDX-License-Identifier: BSD-3-Clause
//
// PEs of regular jobs, for the tests of this folder.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// Hosts numbered one after the other, with the same processes and threads on each.
inline std::vector<PePlace> regular_pes(int hosts, int processes = 1, int threads = 1) {
  std::vector<PePlace> pes;
  for (int host = 0; host < hosts; ++host)
    for (int process = 0; process < processes; ++process)
      for (int thread = 0; thread < threads; ++thread)
        pes.push_back({.host = host, .process = host * processes + process});
  return pes;
}

/// Hosts whose only coordinate is their number.
inline Coordinates hosts_in_a_row(int hosts) {
  Coordinates mesh(hosts, 1);
  for (int host = 0; host < hosts; ++host) mesh.of(host)[0] = host;
  return mesh;
}

/// What each PE has to do, with what it has besides.
inline std::vector<std::int64_t> work_of_pes(std::span<const PePlace> pes,
                                             std::span<const std::int64_t> loads,
                                             std::span<const int> pe_of) {
  std::vector<std::int64_t> work;
  for (const PePlace& pe : pes) work.push_back(pe.already);
  for (std::size_t i = 0; i < loads.size(); ++i)
    work[static_cast<std::size_t>(pe_of[i])] += loads[i];
  return work;
}

/// The number of elements on each PE.
inline std::vector<int> counts_of_pes(std::size_t pes, std::span<const int> pe_of) {
  std::vector<int> counts(pes);
  for (const int pe : pe_of) ++counts.at(static_cast<std::size_t>(pe));
  return counts;
}

}  // namespace fg::topology
