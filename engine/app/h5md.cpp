// SPDX-License-Identifier: BSD-3-Clause
#include "app/h5md.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <map>

#include "app/files.hpp"
#include "app/growing_table.hpp"
#include "app/hdf5.hpp"
#include "base/error.hpp"
#include "base/units.hpp"

namespace fg::app {

namespace {

using h5::extend;
using h5::extent_of;
using h5::growing;
using h5::Handle;
using h5::link;
using h5::make_group;
using h5::Shape;

constexpr hsize_t rows_per_chunk = 128;

/// One quantity over time: H5MD's value, with its own or another's step and time.
struct Series {
  Handle value;
  Handle step;  // empty where another series' clock is linked
  Handle time;
};

Handle access_properties() {
  Handle access = h5::properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.get(), false, true);
  // Nothing of the file's own tables goes to disk between two flushes, so a kill leaves the file as
  // the last flush made it.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access.get(), &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access.get(), &cache);
  // Frames go straight to disk: no room is set aside for chunks that wait.
  H5Pset_cache(access.get(), 0, 521, rows_per_chunk * 64, 1.0);
  return access;
}

struct Species {
  std::vector<std::int32_t> of_atom;
  std::vector<std::string> names;
};

Species species_of(const JobAtoms& atoms) {
  std::map<std::string, std::int32_t> number;
  for (const std::string& element : atoms.element) number.emplace(element, 0);
  Species species;
  for (auto& [name, value] : number) {
    value = static_cast<std::int32_t>(species.names.size());
    species.names.push_back(name);
  }
  for (const std::string& element : atoms.element) species.of_atom.push_back(number[element]);
  return species;
}

}  // namespace

struct TrajectoryWriter::File {
  Handle file;
  Series position, image, velocity;
  Handle energy_step, energy_time;
  std::vector<Handle> energies;  // potential, kinetic, total, temperature, then the terms
  std::vector<std::string> energy_names;
  std::size_t atoms = 0;
  std::int64_t frames = 0;
  Vec3 box;
  bool broken = false;
  std::string path;

  ~File() {
    // After a failed write, closing would try to write again, fail again and keep the ids.
    if (broken) {
      for (Handle* handle : {&file, &position.value, &position.step, &position.time, &image.value,
                             &velocity.value, &energy_step, &energy_time})
        handle->abandon();
      for (Handle& handle : energies) handle.abandon();
    }
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
    } catch (...) {
      broken = true;
      throw;
    }
  }

  void flush() {
    errno = 0;
    h5::check_write(H5Fflush(file.get(), H5F_SCOPE_LOCAL) >= 0, path);
  }

  void create(const Job& job, const TrajectoryOptions& options);
  void create_particles(const Job& job, const TrajectoryOptions& options);
  void create_parameters(const Job& job);
  void create_observables();
  bool open_again(const TrajectoryOptions& options);
};

void TrajectoryWriter::File::create(const Job& job, const TrajectoryOptions& options) {
  std::signal(SIGXFSZ, SIG_IGN);  // a size limit must come back as an error
  errno = 0;
  file = h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_properties().get()));
  h5::check_write(static_cast<bool>(file), path);
  const Handle h5md = make_group(file.get(), "h5md", path);
  const std::int32_t version[2] = {1, 1};
  h5::write_number<std::int32_t>(h5md.get(), "version", version, path);
  h5::write_text(make_group(h5md.get(), "author", path).get(), "name", options.author, path);
  const Handle creator = make_group(h5md.get(), "creator", path);
  h5::write_text(creator.get(), "name", "finegrain", path);
  h5::write_text(creator.get(), "version", job.finegrain_version, path);
  const Handle modules = make_group(h5md.get(), "modules", path);
  const Handle units = make_group(modules.get(), "units", path);
  const std::int32_t units_version[2] = {1, 0};
  h5::write_number<std::int32_t>(units.get(), "version", units_version, path);
  h5::write_text(units.get(), "system", "SI", path);
  create_particles(job, options);
  create_observables();
  create_parameters(job);
  flush();
}

void TrajectoryWriter::File::create_particles(const Job& job, const TrajectoryOptions& options) {
  const Handle all = make_group(make_group(file.get(), "particles", path).get(), "all", path);
  const Handle frame = make_group(all.get(), "box", path);
  h5::write_number<std::int32_t>(frame.get(), "dimension", 3, path);
  const std::string boundary = job.settings.periodic ? "periodic" : "none";
  const Handle kind = h5::string_type();
  const hsize_t axes = 3;
  const Handle three = h5::space(H5Screate_simple(1, &axes, nullptr));
  const Handle boundaries = h5::attribute(
      H5Acreate2(frame.get(), "boundary", kind.get(), three.get(), H5P_DEFAULT, H5P_DEFAULT));
  const char* texts[3] = {boundary.c_str(), boundary.c_str(), boundary.c_str()};
  h5::check_write(boundaries && H5Awrite(boundaries.get(), kind.get(), texts) >= 0, path);
  double edges[3];
  for (int axis = 0; axis < 3; ++axis) edges[axis] = job.box[axis] * units::bohr_in_nm;
  const Handle edge_table = h5::write_array<double>(frame.get(), "edges", edges, {3}, path);
  h5::write_text(edge_table.get(), "unit", "nm", path);

  const auto series = [&](const char* name, hid_t stored, const char* unit) {
    const Handle group = make_group(all.get(), name, path);
    Series made;
    made.value = growing(group.get(), "value", stored, {atoms, 3}, 1, path);
    if (*unit != '\0') h5::write_text(made.value.get(), "unit", unit, path);
    if (!position.value) {
      made.step = growing(group.get(), "step", H5T_STD_I64LE, {}, rows_per_chunk, path);
      made.time = growing(group.get(), "time", H5T_IEEE_F64LE, {}, rows_per_chunk, path);
      h5::write_text(made.time.get(), "unit", "ps", path);
    } else {
      const Handle clock = h5::group(H5Gopen2(all.get(), "position", H5P_DEFAULT));
      link(clock, "step", group, path);
      link(clock, "time", group, path);
    }
    return made;
  };
  position = series("position", H5T_IEEE_F32LE, "nm");
  image = series("image", H5T_STD_I16LE, "");
  if (options.velocities) velocity = series("velocity", H5T_IEEE_F32LE, "nm ps-1");

  const Species species = species_of(job.atoms);
  h5::write_array(all.get(), "species", species.of_atom.data(), {atoms}, path);
  std::vector<std::int32_t> id(atoms);
  for (std::size_t i = 0; i < atoms; ++i) id[i] = static_cast<std::int32_t>(i + 1);
  h5::write_array(all.get(), "id", id.data(), {atoms}, path);
  std::vector<double> mass(job.atoms.mass);
  for (double& m : mass) m *= units::electron_mass_in_dalton;
  h5::write_text(h5::write_array(all.get(), "mass", mass.data(), {atoms}, path).get(), "unit", "u",
                 path);
  h5::write_text(h5::write_array(all.get(), "charge", job.atoms.charge.data(), {atoms}, path).get(),
                 "unit", "e", path);
  h5::write_texts(all.get(), "name", job.atoms.name, path);
  h5::write_texts(all.get(), "element", job.atoms.element, path);
}

void TrajectoryWriter::File::create_parameters(const Job& job) {
  const Handle parameters = make_group(file.get(), "parameters", path);
  const Handle provenance = make_group(parameters.get(), "provenance", path);
  h5::write_text(provenance.get(), "title", job.title, path);
  h5::write_text(provenance.get(), "finegrain_version", job.finegrain_version, path);
  h5::write_text(provenance.get(), "job_digest", job_digest(job), path);
  h5::write_number<std::uint64_t>(provenance.get(), "seed", job.dynamics.seed, path);
  h5::write_texts(provenance.get(), "input_text", std::span(&job.input_text, 1), path);
  const Species species = species_of(job.atoms);
  h5::write_texts(parameters.get(), "species_name", species.names, path);
  const Handle residues = make_group(parameters.get(), "residues", path);
  h5::write_array(residues.get(), "of_atom", job.atoms.residue.data(), {atoms}, path);
  h5::write_array(residues.get(), "number", job.residues.number.data(),
                  {job.residues.number.size()}, path);
  h5::write_texts(residues.get(), "name", job.residues.name, path);
  h5::write_texts(residues.get(), "chain", job.residues.chain, path);
  // Pairs held together by a spring or by a constraint, for viewers; atoms by their id.
  std::vector<std::int32_t> pairs;
  for (const Bond& bond : job.topology.bonds)
    for (const std::int32_t atom : bond.atoms) pairs.push_back(atom + 1);
  for (const Constraint& held : job.topology.constraints)
    for (const std::int32_t atom : held.atoms) pairs.push_back(atom + 1);
  const Handle connectivity = make_group(file.get(), "connectivity", path);
  const Handle bonds =
      h5::write_array(connectivity.get(), "bonds", pairs.data(), {pairs.size() / 2, 2}, path);
  h5::write_text(bonds.get(), "particles_group", "all", path);
}

void TrajectoryWriter::File::create_observables() {
  const Handle observables = make_group(file.get(), "observables", path);
  for (const std::string& name : energy_names) {
    const Handle group = make_group(observables.get(), name.c_str(), path);
    Handle value = growing(group.get(), "value", H5T_IEEE_F64LE, {}, rows_per_chunk, path);
    h5::write_text(value.get(), "unit", name == "temperature" ? "K" : "kJ mol-1", path);
    if (energies.empty()) {
      energy_step = growing(group.get(), "step", H5T_STD_I64LE, {}, rows_per_chunk, path);
      energy_time = growing(group.get(), "time", H5T_IEEE_F64LE, {}, rows_per_chunk, path);
      h5::write_text(energy_time.get(), "unit", "ps", path);
    } else {
      const Handle first =
          h5::group(H5Gopen2(observables.get(), energy_names.front().c_str(), H5P_DEFAULT));
      link(first, "step", group, path);
      link(first, "time", group, path);
    }
    energies.push_back(std::move(value));
  }
}

/// False when the file cannot go on: not readable, or of another system.
bool TrajectoryWriter::File::open_again(const TrajectoryOptions& options) {
  std::signal(SIGXFSZ, SIG_IGN);
  file = h5::file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access_properties().get()));
  if (!file) return false;
  bool good = true;
  const auto open = [&](const std::string& name, std::size_t rank) {
    Handle data = h5::dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
    const Shape shape = data ? extent_of(data) : Shape{};
    good = good && shape.size() == rank && (rank == 1 || (shape[1] == atoms && shape[2] == 3));
    return data;
  };
  const std::string all = "/particles/all/";
  position = {open(all + "position/value", 3), open(all + "position/step", 1),
              open(all + "position/time", 1)};
  image.value = open(all + "image/value", 3);
  if (options.velocities) velocity.value = open(all + "velocity/value", 3);
  for (const std::string& name : energy_names)
    energies.push_back(open("/observables/" + name + "/value", 1));
  energy_step = open("/observables/" + energy_names.front() + "/step", 1);
  energy_time = open("/observables/" + energy_names.front() + "/time", 1);
  if (!good) return false;

  const auto kept_rows = [&](const Handle& step) {
    // The value tables may be a row ahead of or behind the clock after a kill.
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
  const hsize_t kept_frames = kept_rows(position.step);
  for (const Handle* data :
       {&position.value, &position.step, &position.time, &image.value, &velocity.value})
    shorten(*data, kept_frames);
  const hsize_t kept_energies = kept_rows(energy_step);
  for (const Handle& data : energies) shorten(data, kept_energies);
  shorten(energy_step, kept_energies);
  shorten(energy_time, kept_energies);
  frames = static_cast<std::int64_t>(kept_frames);
  return good;
}

TrajectoryWriter::TrajectoryWriter(std::string path, const Job& job,
                                   std::vector<std::string> term_names, TrajectoryOptions options)
    : path_(std::move(path)) {
  const h5::Lock lock;
  const auto fresh = [&] {
    file_ = std::make_unique<File>();
    file_->path = path_;
    file_->atoms = static_cast<std::size_t>(job.atoms.size());
    file_->box = job.box;
    file_->energy_names = {"potential_energy", "kinetic_energy", "total_energy", "temperature"};
    for (const std::string& name : term_names) file_->energy_names.push_back(name + "_energy");
  };
  fresh();
  if (options.resume_after && file_exists(path_)) {
    if (file_->open_again(options)) {
      file_->guarded([&] { file_->flush(); });
      return;
    }
    fresh();
    const std::filesystem::path aside =
        std::filesystem::path(path_).replace_filename("trajectory_damaged.h5");
    std::error_code failed;
    std::filesystem::rename(path_, aside, failed);
    if (failed)
      throw ResourceError(
          {.what = "a damaged trajectory cannot be moved aside: " + failed.message(),
           .where = path_,
           .hint = "move it away by hand, then resume"});
    warning_ = path_ + " could not be continued (damaged, or of other settings) and was moved to " +
               aside.string() + "; a new one begins at step " +
               std::to_string(*options.resume_after);
  }
  file_->guarded([&] { file_->create(job, options); });
}

TrajectoryWriter::~TrajectoryWriter() {
  const h5::Lock lock;
  file_.reset();
}

std::int64_t TrajectoryWriter::frames() const noexcept {
  return file_->frames;
}

void TrajectoryWriter::write_frame(std::int64_t step, double time, std::span<const Vec3> positions,
                                   std::span<const Int3> images, std::span<const Vec3> velocities) {
  File& f = *file_;
  FG_CHECK(positions.size() == f.atoms && images.size() == f.atoms);
  FG_CHECK(!f.velocity.value || velocities.size() == f.atoms);
  std::vector<float> flat(3 * f.atoms);
  const auto flatten = [&](std::span<const Vec3> vectors, double unit) {
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        flat[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(vectors[i][axis] * unit);
  };
  f.guarded([&] {
    flatten(positions, units::bohr_in_nm);
    extend(f.position.value, flat.data(), path_);
    static_assert(sizeof(Int3) == 3 * sizeof(std::int32_t));
    extend(f.image.value, &images[0].x, path_);
    if (f.velocity.value) {
      flatten(velocities, units::speed_in_nm_per_ps);
      extend(f.velocity.value, flat.data(), path_);
    }
    // The clock last: a reader that counts its rows never meets a frame that is not there.
    const double picoseconds = time * units::time_in_ps;
    extend(f.position.time, &picoseconds, path_);
    extend(f.position.step, &step, path_);
    f.flush();
    ++f.frames;
  });
}

void TrajectoryWriter::write_energies(const EnergyRow& row) {
  File& f = *file_;
  FG_CHECK(row.terms.size() + 4 == f.energies.size());
  std::vector<double> values{
      row.potential * units::hartree_in_kj_per_mol, row.kinetic * units::hartree_in_kj_per_mol,
      row.total * units::hartree_in_kj_per_mol, row.temperature * units::hartree_in_kelvin};
  for (const double term : row.terms) values.push_back(term * units::hartree_in_kj_per_mol);
  f.guarded([&] {
    for (std::size_t i = 0; i < values.size(); ++i) extend(f.energies[i], &values[i], path_);
    const double picoseconds = row.time * units::time_in_ps;
    extend(f.energy_time, &picoseconds, path_);
    extend(f.energy_step, &row.step, path_);
    f.flush();
  });
}

}  // namespace fg::app
