// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/kept_orbitals.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ab_initio/job_dynamics.hpp"
#include "ab_initio/kept_dynamics.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "electrons/lattice.hpp"
#include "records/checkpoint.hpp"
#include "records/files.hpp"
#include "records/hdf5.hpp"
#include "records/sealed_file.hpp"

namespace fg::ab_initio {

namespace {

constexpr const char* format = "finegrain-orbitals";

/// A vector of all orbitals: its name in the file, and where an object has it.
struct Kept {
  std::string name;
  hid_t type;  // of the numbers
  std::size_t bytes_of_number;
  std::function<std::span<const std::byte>(const Orbitals&)> of;
};

Kept kept_vector(const std::string& name,
                 std::function<const Orbitals::Vector&(const Orbitals&)> vector) {
  return {
      name, h5::native<double>(), sizeof(double),
      [of = std::move(vector)](const Orbitals& one) { return std::as_bytes(std::span(of(one))); }};
}

void add_dynamics_tables(const DynamicsSettings& settings, int past, std::vector<Kept>& all) {
  for (int age = 0; age < past; ++age)
    all.push_back(kept_vector(kept::past(age),
                              [age](const Orbitals& one) -> auto& { return one.past(age); }));
  if (settings.kind != DynamicsKind::car_parrinello) return;
  all.push_back(kept_vector(kept::velocity,
                            [](const Orbitals& one) -> auto& { return one.motion()->velocity; }));
  if (settings.orthonormality == Orthonormality::free)
    all.push_back(
        kept_vector(kept::free, [](const Orbitals& one) -> auto& { return one.motion()->chi; }));
}

std::vector<Kept> all_kept(int pairs) {
  std::vector<Kept> all{
      {kept::orbitals, h5::native<double>(), sizeof(double),
       [](const Orbitals& one) { return std::as_bytes(std::span(one.coefficients())); }}};
  for (int age = 0; age < pairs; ++age) {
    all.push_back({kept::step(age), h5::native<float>(), sizeof(float), [age](const Orbitals& one) {
                     return std::as_bytes(std::span(one.memory().pair(age).step));
                   }});
    all.push_back(
        {kept::change(age), h5::native<float>(), sizeof(float), [age](const Orbitals& one) {
           return std::as_bytes(std::span(one.memory().pair(age).change));
         }});
  }
  return all;
}

/// The file, while it grows.
class OrbitalWriter {
 public:
  OrbitalWriter(const std::string& path, const Setup& setup, const SearchState& state,
                const std::optional<DynamicsState>& dynamics, std::span<const Kept> tables)
      : file_(path), setup_(setup) {
    const h5::Lock lock;
    write_facts(state, dynamics);
    if (dynamics) write_dynamics_state(file_.root(), *dynamics, path);
    write_waves();
    for (const Kept& table : tables) make_table(table);
  }

  void write(const Kept& table, int block, int part, std::span<const std::byte> rows) {
    const h5::Lock lock;
    const fft::Range orbitals = setup_.basis->block(block);
    const std::array<hsize_t, 3> first{static_cast<hsize_t>(orbitals.begin),
                                       begin_[static_cast<std::size_t>(part)], 0};
    const std::array<hsize_t, 3> size{static_cast<hsize_t>(orbitals.size()),
                                      setup_.basis->waves(part).size(), 2};
    if (size[1] == 0) return;
    const h5::Handle data =
        h5::dataset(H5Dopen2(file_.root(), ("/" + table.name).c_str(), H5P_DEFAULT));
    const h5::Handle there = h5::space(H5Dget_space(data.get()));
    const h5::Handle here = h5::space(H5Screate_simple(3, size.data(), nullptr));
    file_.check(
        H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, first.data(), nullptr, size.data(),
                            nullptr) >= 0 &&
        H5Dwrite(data.get(), table.type, here.get(), there.get(), H5P_DEFAULT, rows.data()) >= 0);
  }

  void finish() { file_.finish(); }

 private:
  void write_facts(const SearchState& state, const std::optional<DynamicsState>& dynamics) {
    const Job& job = *setup_.job;
    const IonPlaces& ions = setup_.leader.object({0}).ions();
    const hid_t root = file_.root();
    const std::string& path = file_.path();
    h5::write_text(root, "format", format, path);
    h5::write_number<std::int64_t>(root, "version", 1, path);
    h5::write_text(root, "units", "Hartree atomic units", path);
    h5::write_text(root, "job_digest",
                   dynamics ? job_digest(job) : job_digest(job, ions.positions(), ions.cell()),
                   path);
    h5::write_number<std::int64_t>(root, "step", dynamics ? dynamics->step : state.iteration(),
                                   path);
    h5::write_number<std::int32_t>(root, "converged", state.converged ? 1 : 0, path);
    h5::write_number<std::int32_t>(root, "spins", job.electrons.spins, path);
    h5::write_number<std::int32_t>(root, "bands_up", job.electrons.up(), path);
    const auto& grid = job.electrons.grid;
    const std::array<std::int32_t, 3> points{grid[0], grid[1], grid[2]};
    h5::write_number<std::int32_t>(root, "grid", points, path);
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    h5::write_array(root, "cell", reinterpret_cast<const double*>(ions.cell().vectors.data()),
                    {3, 3}, path);
    const std::span<const double> energies = setup_.ortho.object({0, 0}).energies();
    const auto n = static_cast<hsize_t>(setup_.basis->orbitals());
    h5::write_array(root, "hamiltonian", energies.data(), {n, n}, path);
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
  void write_waves() {
    std::vector<std::int32_t> waves;
    for (int part = 0; part < setup_.basis->parts(); ++part) {
      begin_.push_back(waves.size() / 3);
      for (const auto& index : setup_.basis->waves(part).indices())
        waves.insert(waves.end(), index.begin(), index.end());
    }
    waves_ = waves.size() / 3;
    h5::write_array(file_.root(), "waves", waves.data(), {waves_, 3}, file_.path());
  }

  void make_table(const Kept& table) {
    const h5::Shape shape{static_cast<hsize_t>(setup_.basis->orbitals()), waves_, 2};
    const h5::Handle extent = h5::space(H5Screate_simple(3, shape.data(), nullptr));
    const h5::Handle how = h5::properties(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_fill_time(how.get(), H5D_FILL_TIME_NEVER);  // all of it is written
    const h5::Handle made =
        h5::dataset(H5Dcreate2(file_.root(), table.name.c_str(), table.type, extent.get(),
                               H5P_DEFAULT, how.get(), H5P_DEFAULT));
    file_.check(static_cast<bool>(made));
  }

  SealedFileWriter file_;
  const Setup& setup_;
  std::vector<hsize_t> begin_;  // the first wave of each part
  hsize_t waves_ = 0;
};

/// The parts of a block that this process has: part, then its numbers.
std::vector<std::byte> block_here(const Setup& setup, const Kept& table, int block) {
  ByteWriter bytes;
  for (int part = 0; part < setup.basis->parts(); ++part) {
    const int ordinal = block * setup.basis->parts() + part;
    if (!setup.orbitals.here_at(ordinal)) continue;
    bytes.put(std::int32_t{part});
    bytes.put_bytes(table.of(setup.orbitals.object_at(ordinal)));
  }
  return std::move(bytes).take();
}

void write_block(const Setup& setup, const Kept& table, int block, std::span<const std::byte> all,
                 OrbitalWriter& file) {
  ByteReader bytes(all);
  std::vector<std::byte> rows;
  while (!bytes.empty()) {
    const auto part = bytes.get<std::int32_t>();
    rows.resize(static_cast<std::size_t>(setup.basis->block(block).size()) *
                setup.basis->waves(part).size() * 2 * table.bytes_of_number);
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
  for (const Species& species : job.species) sum.add(std::string_view(species.sha256));
  const ElectronSettings& electrons = job.electrons;
  sum.add(electrons.cutoff);
  if (const auto& effective = electrons.effective_cutoff)
    for (const double one : {effective->energy, effective->height, effective->width}) sum.add(one);
  for (const int points : electrons.grid) add_whole(points);
  for (const int number : {electrons.spins, electrons.bands, electrons.bands_up}) add_whole(number);
  for (const double moment : job.moments) sum.add(moment);
  sum.add(std::string_view(electrons.functional));
  sum.add(electrons.gradient_density_threshold);
  sum.add(electrons.gradient_sigma_threshold);
  add_whole(electrons.mirrors_negative_density ? 1 : 0);
  for (const IonSettings* one : {&job.nonlocal, &job.local}) {
    add_whole(static_cast<std::int64_t>(one->method));
    add_whole(one->order);
    for (const int points : one->grid) add_whole(points);
  }
  add_whole(job.dispersion ? 1 : 0);
  if (job.dispersion) sum.add(job.dispersion->energy);
  sum.add(std::string_view(job.ground_state.minimiser));
  for (const int cut : {job.cut.state_grain, job.cut.wave_parts, job.cut.density_parts,
                        job.cut.pair_groups, job.cut.tile_grain})
    add_whole(cut);
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

std::exception_ptr keep_orbitals(const Setup& setup, Transport* transport, const std::string& path,
                                 const SearchState& state,
                                 const std::optional<DynamicsState>& dynamics) {
  const bool first = !transport || transport->rank() == 0;
  std::vector<Kept> tables = all_kept(state.pairs);
  if (dynamics) add_dynamics_tables(setup.job->dynamics, dynamics->past, tables);
  std::exception_ptr failure;
  std::optional<OrbitalWriter> file;
  // The others wait for process 0, so it takes part to the end.
  const auto attempt = [&](const auto& work) {
    if (!first || failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  attempt([&] { file.emplace(path, setup, state, dynamics, tables); });
  for (const Kept& table : tables)
    for (int block = 0; block < setup.basis->blocks(); ++block) {
      const std::vector<std::byte> mine = block_here(setup, table, block);
      if (!transport) {
        attempt([&] { write_block(setup, table, block, mine, *file); });
        continue;
      }
      const auto all = transport->gather(mine);
      for (const auto& one : all) attempt([&] { write_block(setup, table, block, one, *file); });
    }
  attempt([&] { file->finish(); });
  // It is larger than the last one, and nobody continues from it.
  std::error_code unknown;
  if (first && !failure && state.converged && !goes_on(*setup.job, dynamics))
    std::filesystem::remove(previous_checkpoint(path), unknown);
  return failure;
}

SearchState load_search(const std::string& path, const Job& job) {
  require_whole(path, previous_checkpoint(path));
  const h5::Reader file(path);
  if (!file.has_attribute("/", "format") || file.text("/", "format") != format)
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
