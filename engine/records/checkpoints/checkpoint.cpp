// SPDX-License-Identifier: BSD-3-Clause
//
// The file is an HDF5 file made in memory and sealed, so that this code does all writes to disk.
#include "records/checkpoints/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/files/files.hpp"
#include "records/files/seal.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/job/box_numbers.hpp"

namespace fg {

namespace {

using h5::Handle;

void write(const Checkpoint& c, hid_t root, const std::string& path) {
  h5::write_text(root, "format", "finegrain-checkpoint", path);
  h5::write_number<std::int64_t>(root, "version", 1, path);
  h5::write_text(root, "units", "Hartree atomic units", path);
  h5::write_number<std::int64_t>(root, "step", c.step, path);
  h5::write_text(root, "velocity_stage", c.stage == VelocityStage::full ? "full" : "half", path);
  h5::write_number<std::uint64_t>(root, "seed", c.seed, path);
  h5::write_text(root, "job_digest", c.job_digest, path);
  const std::int64_t outputs[3] = {c.outputs.begin, c.outputs.rows, c.outputs.frames};
  h5::write_number<std::int64_t>(root, "outputs", outputs, path);
  const DriftSums& d = c.drift;
  h5::write_number<std::int64_t>(root, "drift_rows", d.rows, path);
  const double sums[6] = {d.first_time,   d.first_energy, d.time,
                          d.time_squared, d.energy,       d.time_energy};
  h5::write_number<double>(root, "drift_sums", sums, path);
  static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Int3) == 3 * sizeof(std::int32_t));
  const auto vectors = [&](const char* name, const std::vector<Vec3>& values) {
    h5::write_array(root, name, reinterpret_cast<const double*>(values.data()), {values.size(), 3},
                    path);
  };
  vectors("position", c.positions);
  vectors("velocity", c.velocities);
  h5::write_array(root, "image", reinterpret_cast<const std::int32_t*>(c.images.data()),
                  {c.images.size(), 3}, path);
  const BathState& b = c.bath;
  const std::vector<double> box = numbers_of(b.box);
  h5::write_array(root, "box", box.data(), {box.size()}, path);
  const std::int64_t patches[3] = {b.division.patches.x, b.division.patches.y,
                                   b.division.patches.z};
  h5::write_number<std::int64_t>(root, "division_patches", patches, path);
  const std::vector<double> division_box = numbers_of(b.division.box);
  h5::write_array(root, "division_box", division_box.data(), {division_box.size()}, path);
  h5::write_number<std::int64_t>(root, "bath_heat", b.heat, path);
  const double bath[8] = {b.work,
                          b.strain.x,
                          b.strain.y,
                          b.strain.z,
                          b.virial_before.x,
                          b.virial_before.y,
                          b.virial_before.z,
                          b.volume_rate};
  h5::write_number<double>(root, "bath", bath, path);
  const double trials[3] = {b.trials.size, double(b.trials.made), double(b.trials.accepted)};
  h5::write_number<double>(root, "volume_trials", trials, path);
}

/// As those of a job.
void require_lengths(const h5::Reader& file, const Box& box, const char* name) {
  for (const double edge : {box.edge.x, box.edge.y, box.edge.z})
    if (!(edge >= shortest_edge && edge <= longest_edge))
      file.fail("an edge that is no length of a box", name);
  for (const double tilt : {box.tilt.xy, box.tilt.xz, box.tilt.yz})
    if (!(std::abs(tilt) <= longest_edge)) file.fail("a tilt that is no length of a box", name);
}

/// The limits of a job's atoms and steps. With them no state that a run cannot have reached gets to
/// the objects.
constexpr double farthest = 1e7, fastest = 1e3;
constexpr std::int64_t last_step = 1'000'000'000'000'000, most_patches = 1024;

void require_vectors(const h5::Reader& file, const std::vector<Vec3>& values, double most,
                     const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(values[i][axis]) < most))  // also for NaN
        file.fail("atom " + std::to_string(i) + " has a number that is not finite or too large",
                  name);
}

void require_steps(const h5::Reader& file, const Checkpoint& c) {
  if (c.step < 0 || c.step > last_step) file.fail("a step that no run reaches", "step");
  const auto& o = c.outputs;
  if (o.begin < 0 || o.begin > c.step || o.rows < 0 || o.rows > c.step + 1 || o.frames < 0 ||
      o.frames > c.step + 1)
    file.fail("more results than steps", "outputs");
  if (c.drift.rows < 0 || c.drift.rows > c.step + 1)
    file.fail("a drift of more rows than steps", "drift_rows");
}

void require_finite(const h5::Reader& file, std::span<const double> values, const char* name) {
  for (const double value : values)
    if (!std::isfinite(value)) file.fail("a number that is not finite", name);
}

Checkpoint parse(const std::string& path, std::span<const std::byte> image) {
  const h5::Reader file(path, image);
  if (!file.has_attribute("/", "format") || file.text("/", "format") != "finegrain-checkpoint")
    file.fail("not a finegrain checkpoint", "");
  if (const auto version = file.number<std::int64_t>("/", "version"); version != 1)
    file.fail("a checkpoint of version " + std::to_string(version) + ", not 1", "");
  Checkpoint c;
  c.step = file.number<std::int64_t>("/", "step");
  c.stage = file.text("/", "velocity_stage") == "half" ? VelocityStage::half : VelocityStage::full;
  c.seed = file.number<std::uint64_t>("/", "seed");
  c.job_digest = file.text("/", "job_digest");
  std::int64_t outputs[3] = {};
  file.numbers<std::int64_t>("/", "outputs", outputs);
  c.outputs = {outputs[0], outputs[1], outputs[2]};
  double sums[6] = {};
  file.numbers<double>("/", "drift_sums", sums);
  require_finite(file, sums, "drift_sums");
  c.drift = {file.number<std::int64_t>("/", "drift_rows"),
             sums[0],
             sums[1],
             sums[2],
             sums[3],
             sums[4],
             sums[5]};
  require_steps(file, c);
  const auto vectors = [&](const char* name) {
    const auto flat = file.array<double>(name, {3});
    std::vector<Vec3> values(flat.size() / 3);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
    return values;
  };
  c.positions = vectors("/position");
  c.velocities = vectors("/velocity");
  require_vectors(file, c.positions, farthest, "/position");
  require_vectors(file, c.velocities, fastest, "/velocity");
  const auto images = file.array<std::int32_t>("/image", {3});
  for (std::size_t i = 0; i + 2 < images.size(); i += 3)
    c.images.push_back({images[i], images[i + 1], images[i + 2]});
  if (!take_box(file.array<double>("/box"), c.bath.box)) file.fail(box_numbers_rule, "/box");
  require_lengths(file, c.bath.box, "/box");
  if (c.velocities.size() != c.positions.size() || c.images.size() != c.positions.size())
    file.fail("the tables differ in length", "");
  BathState& b = c.bath;
  std::int64_t patches[3] = {};
  file.numbers<std::int64_t>("/", "division_patches", patches);
  for (int axis = 0; axis < 3; ++axis) {
    if (patches[axis] < 1 || patches[axis] > most_patches)
      file.fail("a number of patches that no job has", "division_patches");
    b.division.patches[axis] = static_cast<int>(patches[axis]);
  }
  if (!take_box(file.array<double>("/division_box"), b.division.box))
    file.fail(box_numbers_rule, "/division_box");
  require_lengths(file, b.division.box, "/division_box");
  b.heat = file.number<std::int64_t>("/", "bath_heat");
  double bath[8] = {};
  file.numbers<double>("/", "bath", bath);
  require_finite(file, bath, "bath");
  b.work = bath[0];
  b.strain = {bath[1], bath[2], bath[3]};
  b.virial_before = {bath[4], bath[5], bath[6]};
  b.volume_rate = bath[7];
  double trials[3] = {};
  file.numbers<double>("/", "volume_trials", trials);
  require_finite(file, trials, "volume_trials");
  for (const double count : {trials[1], trials[2]})
    if (!(count >= 0 && count <= std::numeric_limits<std::int32_t>::max()))
      file.fail("a number of trials that no run makes", "volume_trials");
  b.trials = {.size = trials[0],
              .made = static_cast<std::int32_t>(trials[1]),
              .accepted = static_cast<std::int32_t>(trials[2])};
  return c;
}

bool is_whole(const std::string& path) {
  try {
    return check_seal(read_whole_file(path)).state == SealState::whole;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void DriftSums::add(double at, double conserved_energy) noexcept {
  if (rows == 0) {
    first_time = at;
    first_energy = conserved_energy;
  }
  const double t = at - first_time;
  const double e = conserved_energy - first_energy;
  ++rows;
  time += t;
  time_squared += t * t;
  energy += e;
  time_energy += t * e;
}

double DriftSums::slope() const noexcept {
  const double n = static_cast<double>(rows);
  const double spread = n * time_squared - time * time;
  return rows < 2 || spread <= 0 ? std::numeric_limits<double>::quiet_NaN()
                                 : (n * time_energy - time * energy) / spread;
}

double drift_per_atom(const DriftSums& drift, int atoms) noexcept {
  return drift.slope() * units::hartree_in_kj_per_mol / units::time_in_ps / atoms;
}

std::string previous_checkpoint(const std::string& path) {
  const std::filesystem::path whole(path);
  return std::filesystem::path(whole)
      .replace_filename(whole.stem().string() + "_previous" + whole.extension().string())
      .string();
}

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  FG_CHECK(checkpoint.velocities.size() == checkpoint.positions.size() &&
           checkpoint.images.size() == checkpoint.positions.size());
  std::vector<std::byte> bytes =
      h5::image_of_file(path, [&](hid_t root) { write(checkpoint, root, path); });
  add_seal(bytes);
  keep_as_previous(path);
  replace_file(path, bytes);
}

void keep_as_previous(const std::string& path) {
  if (!file_exists(path)) return;
  const std::string previous = previous_checkpoint(path);
  // If this fails there is no previous checkpoint, but `path` is still replaced in one step.
  const std::string spare = previous + ".part";
  std::error_code failed;
  std::filesystem::remove(spare, failed);
  std::filesystem::create_hard_link(path, spare, failed);
  if (failed) std::filesystem::copy_file(path, spare, failed);
  if (!failed) std::filesystem::rename(spare, previous, failed);
  // A kill at this point leaves two names for one file; the next rename then does nothing.
  std::filesystem::remove(spare, failed);
}

Checkpoint load_checkpoint(const std::string& path) {
  const std::vector<std::byte> bytes = read_whole_file(path);
  const Sealed sealed = check_seal(bytes);
  if (sealed.state == SealState::whole) return parse(path, sealed.contents);
  const std::string previous = previous_checkpoint(path);
  const bool other = previous != path && is_whole(previous);
  throw InputError(
      {.what = "the checkpoint is damaged: its SHA-256 does not fit its contents",
       .where = path,
       .value = std::to_string(bytes.size()) + " bytes",
       .hint = other ? "the one before it is whole: mv " + previous + " " + path
                     : "there is no whole checkpoint beside it: run the job again from the start"});
}

void check_division(const Checkpoint& checkpoint, const std::string& checkpoint_path,
                    const Int3& most) {
  const Int3& patches = checkpoint.bath.division.patches;
  for (int axis = 0; axis < 3; ++axis)
    if (patches[axis] > most[axis])
      throw InputError(
          {.what = "the checkpoint has more patches than its job",
           .where = checkpoint_path,
           .value = std::to_string(patches[axis]) + " along an axis",
           .limit = std::to_string(most[axis]),
           .hint = "resume with the job.h5 of this checkpoint, or start the run again"});
}

void check_belongs(const Checkpoint& checkpoint, const std::string& checkpoint_path,
                   const std::string& digest, int atoms) {
  const std::string hint = "resume with the job.h5 of this checkpoint, or start the run again";
  if (checkpoint.positions.size() != static_cast<std::size_t>(atoms))
    throw InputError({.what = "the checkpoint has another number of atoms than the job",
                      .where = checkpoint_path,
                      .value = std::to_string(checkpoint.positions.size()),
                      .limit = std::to_string(atoms),
                      .hint = hint});
  if (checkpoint.job_digest != digest)
    throw InputError({.what = "the checkpoint was written by another job (system, forces, step or "
                              "seed differ)",
                      .where = checkpoint_path,
                      .value = checkpoint.job_digest.substr(0, 16),
                      .limit = digest.substr(0, 16),
                      .hint = hint});
}

}  // namespace fg
