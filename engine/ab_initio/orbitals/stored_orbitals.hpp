// SPDX-License-Identifier: BSD-3-Clause
//
// Orbitals in a file: [orbitals][waves][2] numbers beside a table of the waves' indices. Each
// process reads its own part of them, by the indices of its waves. So a file of another division,
// another cut-off or another cell serves too. Waves that it does not have are 0.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/orbitals/search_state.hpp"
#include "fft/partition.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

/// Names of the tables in a file.
namespace kept {
inline const std::string orbitals = "orbitals";
std::string step(int age);    // of the search, 0 is the newest
std::string change(int age);  // of the gradient
}  // namespace kept

class StoredOrbitals {
 public:
  /// The tables are in `group`, such as "/start"; empty: the root. Throws InputError if they
  /// are not those of so many orbitals.
  StoredOrbitals(const std::string& path, const std::string& group, int orbitals);

  /// Writes [orbitals][waves][2] for these indices; double or float.
  template <class Real>
  void read(const std::string& table, fft::Range orbitals,
            std::span<const std::array<int, 3>> indices, std::span<Real> to) const;

 private:
  std::string name_of(const std::string& table) const;
  h5::Handle open(const h5::Reader& file, const std::string& table) const;

  std::string path_, group_;
  hsize_t orbitals_;
  hsize_t waves_ = 0;
  /// Sorted, with the place in the tables.
  std::vector<std::pair<std::array<int, 3>, hsize_t>> places_;
};

}  // namespace fg::ab_initio
