// SPDX-License-Identifier: BSD-3-Clause
//
// checkpoint.h5 of an ab initio run, while it grows (kept_orbitals.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ab_initio/checkpoints/kept_tables.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "records/checkpoints/sealed_file.hpp"

namespace fg::ab_initio {

/// All but the orbitals. What it refers to has to outlive only the constructor of the file, but
/// for the basis.
struct OrbitalFacts {
  const Job& job;
  const Basis& basis;
  std::span<const Vec3> positions;  // of ions
  const electrons::Lattice& cell;
  std::span<const double> energies;  // <psi|H|psi>, [orbitals][orbitals]
  const SearchState& search;
  const std::optional<DynamicsState>& dynamics;
};

/// All functions throw ResourceError if the file cannot be written.
class OrbitalFile {
 public:
  static constexpr const char* format = "finegrain-orbitals";

  OrbitalFile(const std::string& path, const OrbitalFacts& facts,
              std::span<const KeptTable> tables);

  /// A part of the waves of a block: [orbitals][waves][2] numbers.
  void write(const KeptTable& table, int block, int part, std::span<const std::byte> rows);
  void finish() { file_.finish(); }

 private:
  void write_facts(const OrbitalFacts& facts);
  void write_search(const SearchState& state);
  void write_waves();
  void make_table(const KeptTable& table);

  SealedFileWriter file_;
  const Basis& basis_;
  std::vector<hsize_t> begin_;  // the first wave of each part
  hsize_t waves_ = 0;
};

}  // namespace fg::ab_initio
