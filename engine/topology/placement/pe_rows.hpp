// SPDX-License-Identifier: BSD-3-Clause
//
// The PEs that get patches, one row for each, grouped by hosts and within a host by processes.
// Hosts and processes count in the order of their first PEs, so that their numbers do not matter.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

class PeRows {
 public:
  /// If there are more PEs than `most`, this number of them is chosen. Throws InputError if there
  /// is no PE, or if a host has no row in `mesh`.
  PeRows(std::span<const PePlace> pes, const Coordinates& mesh, int most);

  std::span<const int> rows() const noexcept { return rows_; }
  /// The number that the PE of a row had before.
  int number(int row) const noexcept { return numbers_[index(row)]; }
  const PePlace& place(int row) const noexcept { return pes_[index(number(row))]; }
  const Coordinates& points() const noexcept { return points_; }

  bool several_hosts(std::span<const int> rows) const noexcept;
  bool several_processes(std::span<const int> rows) const noexcept;
  /// The spans of the mesh coordinates.
  std::vector<int> spans(std::span<const int> rows) const;
  /// In snake order of the hosts; the PEs of a host stay together.
  void sort(std::span<int> rows, std::span<const int> dimensions) const;
  /// The end of the lower half of `rows`, the half with about half of the shares. It is between two
  /// hosts if there are several. Otherwise it is between two processes, or else between two PEs.
  /// `rows` are sorted.
  std::size_t middle(std::span<const int> rows) const;

 private:
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

  std::span<const PePlace> pes_;
  std::vector<int> numbers_;  // [rows]
  std::vector<int> rows_;     // 0, 1, 2, ...
  Coordinates points_;        // [rows]
};

}  // namespace fg::topology
