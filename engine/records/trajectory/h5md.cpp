// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/h5md.hpp"

#include <algorithm>
#include <cerrno>
#include <map>

#include "base/error.hpp"
#include "base/memory_room.hpp"
#include "base/units.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/growing_table.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/hdf5/journaled_driver.hpp"
#include "records/trajectory/energy_columns.hpp"

namespace fg {

namespace {

using h5::extend;
using h5::extent_of;
using h5::growing;
using h5::Handle;
using h5::link;
using h5::make_group;
using h5::Shape;

constexpr hsize_t rows_per_chunk = 128;

/// The step and time of the rows of a table, in H5MD's form; several tables may share them.
struct Clock {
  Handle step;
  Handle time;
};

/// Energies have their own steps and times. In H5MD's place for energies, /observables, MDAnalysis
/// would read row k as that of frame k.
constexpr const char* energies_group = "/parameters/energies";

Handle access_properties(JournaledFile& storage) {
  Handle access = h5::access_to(storage);
  // The file's own tables are written only in a flush: HDF5 would otherwise write the same ones
  // again and again.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access.get(), &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access.get(), &cache);
  // Frames go straight to disk: no memory is reserved for waiting chunks.
  H5Pset_cache(access.get(), 0, 521, rows_per_chunk * 64, 1.0);
  return access;
}

struct Species {
  std::vector<std::int32_t> of_atom;
  std::vector<std::string> names;
};

Species species_of(const std::vector<std::string>& elements) {
  std::map<std::string, std::int32_t> number;
  for (const std::string& element : elements) number.emplace(element, 0);
  Species species;
  for (auto& [name, value] : number) {
    value = static_cast<std::int32_t>(species.names.size());
    species.names.push_back(name);
  }
  for (const std::string& element : elements) species.of_atom.push_back(number[element]);
  return species;
}

}  // namespace

struct TrajectoryWriter::File {
  std::unique_ptr<JournaledFile> storage;  // outlives what HDF5 has open in it
  Handle file;
  Clock clock;
  Handle position, image;
  Handle velocity, force;  // empty if not asked for
  Handle edges;            // empty without a periodic box
  Clock energy_clock;
  std::vector<Handle> energies;       // of the observables
  std::vector<EnergyColumn> columns;  // of a classical run
  std::vector<Observable> observables;
  std::size_t atoms = 0;
  std::int64_t frames = 0;
  bool periodic = true;
  Shape edges_shape;
  bool continued = false;  // another run wrote its beginning
  bool broken = false;
  std::string path;

  ~File() {
    // The incomplete result of a failed write never counts; closing only frees HDF5's own memory.
    if (broken && storage) storage->give_up();
  }

  template <class Action>
  void guarded(Action&& action) {
    const h5::Lock lock;
    if (broken)
      throw ResourceError({.what = "cannot write: an earlier write to this file failed",
                           .where = path,
                           .hint = "free some space and resume the run"});
    try {
      action();
    } catch (const h5::WriteRefused&) {
      broken = true;
      if (continued) refuse_to_continue();
      throw;
    } catch (...) {
      broken = true;
      throw;
    }
  }

  [[noreturn]] void refuse_to_continue() const {
    throw InputError({.what = "cannot be continued: damaged, or of another system",
                      .where = path,
                      .hint = "move the file away, or put back the one that the run wrote"});
  }

  void flush() {
    errno = 0;
    h5::check_write(H5Fflush(file.get(), H5F_SCOPE_LOCAL) >= 0, path);
    storage->commit();
  }

  void create(const TrajectoryContents& contents, const TrajectoryOptions& options);
  void create_particles(const TrajectoryContents& contents, const TrajectoryOptions& options);
  void create_parameters(const TrajectoryContents& contents);
  void create_energies();
  bool open_again(const TrajectoryOptions& options);

  /// H5MD has three edges, or the three vectors of a tilted cell in rows.
  std::vector<double> edges_of(const CellVectors& cell) const {
    std::vector<double> found;
    for (int row = 0; row < 3; ++row)
      for (int axis = 0; axis < 3; ++axis)
        if (edges_shape.size() == 2 || row == axis)
          found.push_back(cell[static_cast<std::size_t>(row)][axis] * units::bohr_in_nm);
    return found;
  }

  void add_to(const Clock& one, std::int64_t step, double time) {
    const double picoseconds = time * units::time_in_ps;
    extend(one.time, &picoseconds, path);
    extend(one.step, &step, path);
    flush();
  }
};

void TrajectoryWriter::File::create(const TrajectoryContents& contents,
                                    const TrajectoryOptions& options) {
  storage = std::make_unique<JournaledFile>(path, FileUse::create);
  errno = 0;
  const Handle access = access_properties(*storage);
  file = h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  h5::check_write(static_cast<bool>(file), path);
  const Handle h5md = make_group(file.get(), "h5md", path);
  const std::int32_t version[2] = {1, 1};
  h5::write_number<std::int32_t>(h5md.get(), "version", version, path);
  h5::write_text(make_group(h5md.get(), "author", path).get(), "name", options.author, path);
  const Handle creator = make_group(h5md.get(), "creator", path);
  h5::write_text(creator.get(), "name", "finegrain", path);
  h5::write_text(creator.get(), "version", contents.finegrain_version, path);
  const Handle modules = make_group(h5md.get(), "modules", path);
  const Handle units = make_group(modules.get(), "units", path);
  const std::int32_t units_version[2] = {1, 0};
  h5::write_number<std::int32_t>(units.get(), "version", units_version, path);
  h5::write_text(units.get(), "system", "SI", path);
  create_particles(contents, options);
  create_parameters(contents);
  create_energies();
  flush();
}

void TrajectoryWriter::File::create_particles(const TrajectoryContents& contents,
                                              const TrajectoryOptions& options) {
  const Handle all = make_group(make_group(file.get(), "particles", path).get(), "all", path);
  const Handle frame = make_group(all.get(), "box", path);
  h5::write_number<std::int32_t>(frame.get(), "dimension", 3, path);
  const std::string boundary = periodic ? "periodic" : "none";
  const Handle kind = h5::string_type();
  const hsize_t axes = 3;
  const Handle three = h5::space(H5Screate_simple(1, &axes, nullptr));
  const Handle boundaries = h5::attribute(
      H5Acreate2(frame.get(), "boundary", kind.get(), three.get(), H5P_DEFAULT, H5P_DEFAULT));
  const char* texts[3] = {boundary.c_str(), boundary.c_str(), boundary.c_str()};
  h5::check_write(boundaries && H5Awrite(boundaries.get(), kind.get(), texts) >= 0, path);

  // All series of the particles share one set of steps and times, and so have the same rows.
  const Handle first = make_group(all.get(), "position", path);
  clock = {growing(first.get(), "step", H5T_STD_I64LE, {}, rows_per_chunk, path),
           growing(first.get(), "time", H5T_IEEE_F64LE, {}, rows_per_chunk, path)};
  h5::write_text(clock.time.get(), "unit", "ps", path);
  position = growing(first.get(), "value", H5T_IEEE_F32LE, {atoms, 3}, 1, path);
  h5::write_text(position.get(), "unit", "nm", path);
  const auto with_clock = [&](const Handle& parent, const char* name, hid_t stored,
                              const Shape& row, hsize_t rows_in_chunk) {
    const Handle group = make_group(parent.get(), name, path);
    link(first, "step", group, path);
    link(first, "time", group, path);
    return growing(group.get(), "value", stored, row, rows_in_chunk, path);
  };
  image = with_clock(all, "image", H5T_STD_I16LE, {atoms, 3}, 1);
  if (options.velocities) {
    velocity = with_clock(all, "velocity", H5T_IEEE_F32LE, {atoms, 3}, 1);
    h5::write_text(velocity.get(), "unit", "nm ps-1", path);
  }
  if (options.forces) {
    force = with_clock(all, "force", H5T_IEEE_F32LE, {atoms, 3}, 1);
    h5::write_text(force.get(), "unit", "kJ mol-1 nm-1", path);
  }
  if (periodic) {
    edges = with_clock(frame, "edges", H5T_IEEE_F64LE, edges_shape, rows_per_chunk);
    h5::write_text(edges.get(), "unit", "nm", path);
  }

  const Species species = species_of(contents.element);
  h5::write_array(all.get(), "species", species.of_atom.data(), {atoms}, path);
  std::vector<std::int32_t> id(atoms);
  for (std::size_t i = 0; i < atoms; ++i) id[i] = static_cast<std::int32_t>(i + 1);
  h5::write_array(all.get(), "id", id.data(), {atoms}, path);
  std::vector<double> mass(contents.mass);
  for (double& m : mass) m *= units::electron_mass_in_dalton;
  h5::write_text(h5::write_array(all.get(), "mass", mass.data(), {atoms}, path).get(), "unit", "u",
                 path);
  if (!contents.charge.empty())
    h5::write_text(
        h5::write_array(all.get(), "charge", contents.charge.data(), {atoms}, path).get(), "unit",
        "e", path);
  h5::write_texts(all.get(), "name", contents.name, path);
  h5::write_texts(all.get(), "element", contents.element, path);
}

void TrajectoryWriter::File::create_parameters(const TrajectoryContents& contents) {
  const Handle parameters = make_group(file.get(), "parameters", path);
  const Handle provenance = make_group(parameters.get(), "provenance", path);
  h5::write_text(provenance.get(), "title", contents.title, path);
  h5::write_text(provenance.get(), "finegrain_version", contents.finegrain_version, path);
  h5::write_text(provenance.get(), "job_digest", contents.job_digest, path);
  h5::write_number<std::uint64_t>(provenance.get(), "seed", contents.seed, path);
  h5::write_texts(provenance.get(), "input_text", std::span(&contents.input_text, 1), path);
  const Species species = species_of(contents.element);
  h5::write_texts(parameters.get(), "species_name", species.names, path);
  if (!contents.residue.empty()) {
    const Handle residues = make_group(parameters.get(), "residues", path);
    h5::write_array(residues.get(), "of_atom", contents.residue.data(), {atoms}, path);
    h5::write_array(residues.get(), "number", contents.residues.number.data(),
                    {contents.residues.number.size()}, path);
    h5::write_texts(residues.get(), "name", contents.residues.name, path);
    h5::write_texts(residues.get(), "chain", contents.residues.chain, path);
  }
  // For viewers; atoms by id.
  const Handle connectivity = make_group(file.get(), "connectivity", path);
  const Handle bonds = h5::write_array(connectivity.get(), "bonds", contents.bonds.data(),
                                       {contents.bonds.size() / 2, 2}, path);
  h5::write_text(bonds.get(), "particles_group", "all", path);
}

void TrajectoryWriter::File::create_energies() {
  const Handle all = make_group(file.get(), energies_group, path);
  Handle first;
  for (const auto& [name, unit] : observables) {
    Handle group = make_group(all.get(), name.c_str(), path);
    energies.push_back(growing(group.get(), "value", H5T_IEEE_F64LE, {}, rows_per_chunk, path));
    h5::write_text(energies.back().get(), "unit", unit, path);
    if (first) {
      link(first, "step", group, path);
      link(first, "time", group, path);
      continue;
    }
    energy_clock = {growing(group.get(), "step", H5T_STD_I64LE, {}, rows_per_chunk, path),
                    growing(group.get(), "time", H5T_IEEE_F64LE, {}, rows_per_chunk, path)};
    h5::write_text(energy_clock.time.get(), "unit", "ps", path);
    first = std::move(group);
  }
}

/// False if the file cannot be continued: not readable, or from another system.
bool TrajectoryWriter::File::open_again(const TrajectoryOptions& options) {
  storage = std::make_unique<JournaledFile>(path, FileUse::change, options.with_journal);
  file = h5::file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access_properties(*storage).get()));
  if (!file) return false;
  bool good = true;
  const auto open = [&](const std::string& name, const Shape& row) {
    Handle data = h5::dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
    const Shape shape = data ? extent_of(data) : Shape{};
    good = good && shape.size() == row.size() + 1 &&
           std::equal(row.begin(), row.end(), shape.begin() + 1);
    return data;
  };
  const std::string all = "/particles/all/";
  const Shape vectors{atoms, 3};
  clock = {open(all + "position/step", {}), open(all + "position/time", {})};
  position = open(all + "position/value", vectors);
  image = open(all + "image/value", vectors);
  if (options.velocities) velocity = open(all + "velocity/value", vectors);
  if (options.forces) force = open(all + "force/value", vectors);
  if (periodic) edges = open(all + "box/edges/value", edges_shape);
  const std::string rows = energies_group;
  for (const Observable& one : observables)
    energies.push_back(open(rows + "/" + one.name + "/value", {}));
  const std::string first = rows + "/" + observables.front().name;
  energy_clock = {open(first + "/step", {}), open(first + "/time", {})};
  if (!good) return false;

  const auto kept_rows = [&](const Handle& step) {
    // After a kill the value tables may be a row ahead of the steps, or behind them.
    std::vector<std::int64_t> steps(extent_of(step)[0]);
    if (!steps.empty() &&
        H5Dread(step.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps.data()) < 0)
      good = false;
    return static_cast<hsize_t>(
        std::upper_bound(steps.begin(), steps.end(), *options.resume_after) - steps.begin());
  };
  const auto shorten = [&](const Handle& data, hsize_t rows) {
    if (!data) return;
    Shape shape = extent_of(data);
    if (shape[0] < rows) good = false;
    shape[0] = rows;
    good = good && H5Dset_extent(data.get(), shape.data()) >= 0;
  };
  const hsize_t kept_frames = kept_rows(clock.step);
  for (const Handle* data :
       {&position, &clock.step, &clock.time, &image, &velocity, &force, &edges})
    shorten(*data, kept_frames);
  const hsize_t kept_energies = kept_rows(energy_clock.step);
  for (const Handle& data : energies) shorten(data, kept_energies);
  shorten(energy_clock.step, kept_energies);
  shorten(energy_clock.time, kept_energies);
  frames = static_cast<std::int64_t>(kept_frames);
  return good;
}

TrajectoryWriter::TrajectoryWriter(std::string path, const Job& job,
                                   std::vector<std::string> term_names, TrajectoryOptions options)
    : path_(std::move(path)) {
  open(contents_of(job, term_names), options);
  file_->columns = energy_columns(job.box.periodic);
}

TrajectoryWriter::TrajectoryWriter(std::string path, const TrajectoryContents& contents,
                                   TrajectoryOptions options)
    : path_(std::move(path)) {
  open(contents, options);
}

void TrajectoryWriter::open(const TrajectoryContents& contents, const TrajectoryOptions& options) {
  const h5::Lock lock;
  // HDF5 damages the heap if it gets no memory while it makes a file, which takes a few MB.
  require_room(std::size_t{16} << 20);
  file_ = std::make_unique<File>();
  file_->path = path_;
  file_->atoms = contents.atoms();
  file_->periodic = contents.periodic;
  file_->edges_shape = contents.rectangular ? Shape{3} : Shape{3, 3};
  file_->observables = contents.observables;
  if (!options.resume_after || !file_exists(path_)) {
    file_->guarded([&] { file_->create(contents, options); });
    return;
  }
  file_->guarded([&] {
    file_->continued = true;
    if (!file_->open_again(options)) file_->refuse_to_continue();
    file_->flush();
    file_->storage->settle();
  });
}

TrajectoryWriter::~TrajectoryWriter() {
  const h5::Lock lock;
  const bool broken = file_->broken;
  file_.reset();
  if (!broken) return;
  try {
    JournaledFile(path_, FileUse::change)
        .settle();  // so that every reader sees the last good state
  } catch (const Error&) {
    return;  // it stays in the journal
  }
}

void TrajectoryWriter::sync() {
  file_->guarded([&] {
    file_->flush();
    file_->storage->settle();
  });
}

std::int64_t TrajectoryWriter::frames() const noexcept {
  return file_->frames;
}

void TrajectoryWriter::write_frame(const TrajectoryFrame& frame) {
  File& f = *file_;
  const WrappedPositions& inside = frame.inside;
  FG_CHECK(inside.flat.size() == 3 * f.atoms && inside.images.size() == f.atoms);
  FG_CHECK(!f.velocity || frame.velocities.size() == f.atoms);
  FG_CHECK(!f.force || frame.forces.size() == f.atoms);
  f.guarded([&] {
    extend(f.position, inside.flat.data(), path_);
    static_assert(sizeof(Int3) == 3 * sizeof(std::int32_t));
    extend(f.image, &inside.images[0].x, path_);
    if (f.velocity)
      extend(f.velocity, flat_of(frame.velocities, units::speed_in_nm_per_ps).data(), path_);
    if (f.force)
      extend(f.force, flat_of(frame.forces, units::force_in_kj_per_mol_nm).data(), path_);
    if (f.edges) extend(f.edges, f.edges_of(frame.cell).data(), path_);
    // The step and time are written last, so that a reader that counts them never finds a missing
    // frame.
    f.add_to(f.clock, frame.step, frame.time);
    ++f.frames;
  });
}

void TrajectoryWriter::write_energies(const EnergyRow& row) {
  const File& f = *file_;
  FG_CHECK(row.terms.size() + f.columns.size() == f.energies.size());
  std::vector<double> values;
  values.reserve(f.energies.size());
  for (const EnergyColumn& column : f.columns) values.push_back(column.value(row));
  for (const double term : row.terms) values.push_back(term * units::hartree_in_kj_per_mol);
  write_observables(row.step, row.time, values);
}

void TrajectoryWriter::write_observables(std::int64_t step, double time,
                                         std::span<const double> values) {
  File& f = *file_;
  FG_CHECK(values.size() == f.energies.size());
  f.guarded([&] {
    for (std::size_t i = 0; i < values.size(); ++i) extend(f.energies[i], &values[i], path_);
    f.add_to(f.energy_clock, step, time);
  });
}

}  // namespace fg
