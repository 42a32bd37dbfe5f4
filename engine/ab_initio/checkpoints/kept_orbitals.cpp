// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/kept_orbitals.hpp"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "ab_initio/checkpoints/kept_tables.hpp"
#include "ab_initio/checkpoints/orbital_file.hpp"
#include "ab_initio/job/job_dynamics.hpp"
#include "ab_initio/orbitals/kept_dynamics.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "electrons/waves/lattice.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "records/checkpoints/sealed_file.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

namespace {

/// The parts of a block that this process has: part, then its numbers.
std::vector<std::byte> block_here(const KeptParts& parts, const KeptTable& table, int block) {
  ByteWriter bytes;
  for (int part = 0; part < parts.basis->parts(); ++part) {
    const int ordinal = block * parts.basis->parts() + part;
    if (!parts.orbitals.here_at(ordinal)) continue;
    bytes.put(std::int32_t{part});
    bytes.put_bytes(table.of(parts.orbitals.object_at(ordinal)));
  }
  return std::move(bytes).take();
}

void write_block(const Basis& basis, const KeptTable& table, int block,
                 std::span<const std::byte> all, OrbitalFile& file) {
  ByteReader bytes(all);
  std::vector<std::byte> rows;
  while (!bytes.empty()) {
    const auto part = bytes.get<std::int32_t>();
    rows.resize(static_cast<std::size_t>(basis.block(block).size()) * basis.waves(part).size() * 2 *
                table.bytes_of_number);
    bytes.get_bytes(rows);
    file.write(table, block, part, rows);
  }
}

}  // namespace

std::string job_digest(const Job& job, std::span<const Vec3> positions,
                       const electrons::Lattice& cell) {
  Sha256 sum;
  const auto add_vector = [&](const Vec3& v) { sum.add(v.x), sum.add(v.y), sum.add(v.z); };
  const auto add_whole = [&](std::int64_t value) { sum.add(static_cast<std::uint64_t>(value)); };
  for (const Vec3& v : cell.vectors) add_vector(v);
  if (job.cell_of_waves)
    for (const Vec3& v : job.cell_of_waves->vectors) add_vector(v);
  add_whole(job.isolated ? 1 : 0);
  for (const Vec3& v : positions) add_vector(v);
  for (const auto species : job.species_of) add_whole(species);
  for (const Species& species : job.species) add_keys(sum, species, Species::keys());
  add_keys(sum, job.electrons, ElectronSettings::keys());
  if (const auto& effective = job.electrons.effective_cutoff)
    add_keys(sum, *effective, effective_cutoff_keys());
  for (const double moment : job.moments) sum.add(moment);
  add_keys(sum, job.nonlocal, IonSettings::keys());
  add_keys(sum, job.local, IonSettings::keys());
  add_whole(job.dispersion ? 1 : 0);
  if (job.dispersion) sum.add(job.dispersion->energy);
  add_keys(sum, job.ground_state, GroundStateSettings::keys());
  add_keys(sum, job.division, DivisionSettings::keys());
  add_dynamics(sum, job);
  return sum.hex();
}

std::string job_digest(const Job& job) {
  return job_digest(job, job.positions, job.cell);
}

namespace {

/// Whether there are steps of a dynamics left.
bool goes_on(const Job& job, const std::optional<DynamicsState>& dynamics) {
  return dynamics ? dynamics->step < job.dynamics.steps : job.dynamics.kind != DynamicsKind::none;
}

}  // namespace

std::exception_ptr keep_orbitals(const KeptParts& parts, const std::string& path,
                                 const SearchState& state,
                                 const std::optional<DynamicsState>& dynamics) {
  Transport* const transport = parts.transport;
  const bool first = !transport || transport->rank() == 0;
  const std::vector<KeptTable> tables =
      dynamics ? tables_of_dynamics(parts.job->dynamics, dynamics->past)
               : tables_of_search(state.pairs);
  std::exception_ptr failure;
  std::optional<OrbitalFile> file;
  // The others wait for process 0, so it takes part to the end.
  const auto attempt = [&](const auto& work) {
    if (!first || failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  attempt([&] {
    file.emplace(path,
                 OrbitalFacts{.job = *parts.job,
                              .basis = *parts.basis,
                              .positions = parts.ions->positions(),
                              .cell = parts.ions->cell(),
                              .energies = parts.energies,
                              .search = state,
                              .dynamics = dynamics},
                 tables);
  });
  for (const KeptTable& table : tables)
    for (int block = 0; block < parts.basis->blocks(); ++block) {
      const std::vector<std::byte> mine = block_here(parts, table, block);
      if (!transport) {
        attempt([&] { write_block(*parts.basis, table, block, mine, *file); });
        continue;
      }
      const auto all = transport->gather(mine);
      for (const auto& one : all)
        attempt([&] { write_block(*parts.basis, table, block, one, *file); });
    }
  attempt([&] { file->finish(); });
  // It is larger than the last one, and nobody continues from it.
  std::error_code unknown;
  if (first && !failure && state.converged && !goes_on(*parts.job, dynamics))
    std::filesystem::remove(previous_checkpoint(path), unknown);
  return failure;
}

SearchState load_search(const std::string& path, const Job& job) {
  require_whole(path, previous_checkpoint(path));
  const h5::Reader file(path);
  if (!file.has_attribute("/", "format") || file.text("/", "format") != OrbitalFile::format)
    file.fail("not a checkpoint of an ab initio run", "");
  if (const auto version = file.number<std::int64_t>("/", "version"); version != 1)
    file.fail("a checkpoint of version " + std::to_string(version) + ", not 1", "");
  if (const std::string digest = file.text("/", "job_digest"); digest != job_digest(job))
    throw InputError(
        {.what = "the checkpoint was written by another job (ions, cell, electrons or objects "
                 "differ)",
         .where = path,
         .value = digest.substr(0, 16),
         .limit = job_digest(job).substr(0, 16),
         .hint = "resume with the job.h5 of this checkpoint, or start the run again"});
  SearchState state;
  state.converged = file.number<std::int32_t>("/", "converged") == 1;
  state.pairs = file.number<std::int32_t>("/search", "pairs");
  if (state.pairs < 0 || state.pairs > most_pairs)
    file.fail("the attribute 'pairs' is beyond its limits", "/search");
  state.last_length = file.number<double>("/search", "last_length");
  state.last_steepness = file.number<double>("/search", "last_steepness");
  const auto products = file.array<double>("/search/step_change", {most_pairs});
  const auto history = file.array<double>("/search/history", {3});
  if (products.size() != most_pairs * most_pairs || history.empty())
    file.fail("the tables of the search have another size", "/search");
  for (std::size_t i = 0; i < products.size(); ++i)
    state.step_change[i / most_pairs][i % most_pairs] = products[i];
  for (std::size_t i = 0; i + 2 < history.size(); i += 3)
    state.history.push_back({.number = static_cast<std::int64_t>(i / 3),
                             .energy = history[i],
                             .residual = history[i + 1],
                             .seconds = history[i + 2]});
  return state;
}

std::optional<DynamicsState> load_dynamics(const std::string& path, const Job& job) {
  if (job.dynamics.kind == DynamicsKind::none) return std::nullopt;
  return read_dynamics_state(h5::Reader(path), job);
}

}  // namespace fg::ab_initio
