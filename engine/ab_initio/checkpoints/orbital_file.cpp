// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/orbital_file.hpp"

#include <array>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "ab_initio/orbitals/kept_dynamics.hpp"

namespace fg::ab_initio {

OrbitalFile::OrbitalFile(const std::string& path, const OrbitalFacts& facts,
                         std::span<const KeptTable> tables)
    : file_(path), basis_(facts.basis) {
  const h5::Lock lock;
  write_facts(facts);
  if (facts.dynamics) write_dynamics_state(file_.root(), *facts.dynamics, path);
  write_waves();
  for (const KeptTable& table : tables) make_table(table);
}

void OrbitalFile::write(const KeptTable& table, int block, int part,
                        std::span<const std::byte> rows) {
  const h5::Lock lock;
  const fft::Range orbitals = basis_.block(block);
  const std::array<hsize_t, 3> first{static_cast<hsize_t>(orbitals.begin),
                                     begin_[static_cast<std::size_t>(part)], 0};
  const std::array<hsize_t, 3> size{static_cast<hsize_t>(orbitals.size()),
                                    basis_.waves(part).size(), 2};
  if (size[1] == 0) return;
  const h5::Handle data =
      h5::dataset(H5Dopen2(file_.root(), ("/" + table.name).c_str(), H5P_DEFAULT));
  const h5::Handle there = h5::space(H5Dget_space(data.get()));
  const h5::Handle here = h5::space(H5Screate_simple(3, size.data(), nullptr));
  file_.check(H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, first.data(), nullptr, size.data(),
                                  nullptr) >= 0 &&
              H5Dwrite(data.get(), table.type, here.get(), there.get(), H5P_DEFAULT, rows.data()) >=
                  0);
}

void OrbitalFile::write_facts(const OrbitalFacts& facts) {
  const Job& job = facts.job;
  const auto& dynamics = facts.dynamics;
  const hid_t root = file_.root();
  const std::string& path = file_.path();
  h5::write_text(root, "format", format, path);
  h5::write_number<std::int64_t>(root, "version", 1, path);
  h5::write_text(root, "units", "Hartree atomic units", path);
  h5::write_text(root, "job_digest",
                 dynamics ? job_digest(job) : job_digest(job, facts.positions, facts.cell), path);
  h5::write_number<std::int64_t>(root, "step", dynamics ? dynamics->step : facts.search.iteration(),
                                 path);
  h5::write_number<std::int32_t>(root, "converged", facts.search.converged ? 1 : 0, path);
  h5::write_number<std::int32_t>(root, "spins", job.electrons.spins, path);
  h5::write_number<std::int32_t>(root, "bands_up", job.electrons.up(), path);
  const auto& grid = job.electrons.grid;
  const std::array<std::int32_t, 3> points{grid[0], grid[1], grid[2]};
  h5::write_number<std::int32_t>(root, "grid", points, path);
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  h5::write_array(root, "cell", reinterpret_cast<const double*>(facts.cell.vectors.data()), {3, 3},
                  path);
  const auto n = static_cast<hsize_t>(basis_.orbitals());
  h5::write_array(root, "hamiltonian", facts.energies.data(), {n, n}, path);
  write_search(facts.search);
}

void OrbitalFile::write_search(const SearchState& state) {
  const hid_t root = file_.root();
  const std::string& path = file_.path();
  const h5::Handle search =
      h5::group(H5Gcreate2(root, "search", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  file_.check(static_cast<bool>(search));
  h5::write_number<std::int32_t>(search.get(), "pairs", state.pairs, path);
  h5::write_number(search.get(), "last_length", state.last_length, path);
  h5::write_number(search.get(), "last_steepness", state.last_steepness, path);
  static_assert(sizeof(StepChange) == most_pairs * most_pairs * sizeof(double));
  h5::write_array(search.get(), "step_change", state.step_change[0].data(),
                  {most_pairs, most_pairs}, path);
  std::vector<double> history;
  for (const Iteration& one : state.history)
    history.insert(history.end(), {one.energy, one.residual, one.seconds});
  h5::write_array(search.get(), "history", history.data(), {state.history.size(), 3}, path);
}

/// The waves of all parts, one after the other.
void OrbitalFile::write_waves() {
  std::vector<std::int32_t> waves;
  for (int part = 0; part < basis_.parts(); ++part) {
    begin_.push_back(waves.size() / 3);
    for (const auto& index : basis_.waves(part).indices())
      waves.insert(waves.end(), index.begin(), index.end());
  }
  waves_ = waves.size() / 3;
  h5::write_array(file_.root(), "waves", waves.data(), {waves_, 3}, file_.path());
}

void OrbitalFile::make_table(const KeptTable& table) {
  const h5::Shape shape{static_cast<hsize_t>(basis_.orbitals()), waves_, 2};
  const h5::Handle extent = h5::space(H5Screate_simple(3, shape.data(), nullptr));
  const h5::Handle how = h5::properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_fill_time(how.get(), H5D_FILL_TIME_NEVER);  // all of it is written
  const h5::Handle made =
      h5::dataset(H5Dcreate2(file_.root(), table.name.c_str(), table.type, extent.get(),
                             H5P_DEFAULT, how.get(), H5P_DEFAULT));
  file_.check(static_cast<bool>(made));
}

}  // namespace fg::ab_initio
