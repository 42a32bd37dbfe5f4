// SPDX-License-Identifier: BSD-3-Clause
#include "gth_job_file.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {

namespace {

using h5::Handle;

Handle make_group(hid_t at, const std::string& name) {
  return h5::group(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void write_vectors(hid_t at, const char* name, std::span<const Vec3> values) {
  h5::write_array(at, name, &values[0].x, {values.size(), 3}, "job");
}

template <class T>
void write_list(hid_t at, const char* name, const std::vector<T>& values) {
  h5::write_array(at, name, values.data(), {values.size()}, "job");
}

/// Tables of projectors or orbitals, in rows.
template <class Row>
void write_rows(hid_t at, const char* l_name, const char* name, const std::vector<Row>& rows) {
  if (rows.empty()) return;
  std::vector<std::int32_t> l;
  std::vector<double> flat;
  for (const Row& row : rows) {
    l.push_back(row.l);
    flat.insert(flat.end(), row.values.begin(), row.values.end());
  }
  write_list(at, l_name, l);
  h5::write_array(at, name, flat.data(), {rows.size(), rows[0].values.size()}, "job");
}

void write_species(hid_t group, const ab_initio::Species& species) {
  h5::write_text(group, "symbol", species.symbol, "job");
  h5::write_text(group, "file", species.file, "job");
  h5::write_text(group, "sha256", species.sha256, "job");
  h5::write_number(group, "charge", species.charge, "job");
  h5::write_number(group, "width", species.width, "job");
  write_list(group, "local", species.local);
  if (!species.core.empty()) write_list(group, "core", species.core);
  if (!species.density.empty()) write_list(group, "density", species.density);
  write_rows(group, "projector_l", "projectors", species.projectors);
  if (const std::size_t n = species.projectors.size(); n > 0)
    h5::write_array(group, "coupling", species.coupling.data(), {n, n}, "job");
  write_rows(group, "orbital_l", "orbitals", species.orbitals);
  if (species.orbitals.empty()) return;
  std::vector<double> occupation;
  for (const auto& orbital : species.orbitals) occupation.push_back(orbital.occupation);
  write_list(group, "orbital_occupation", occupation);
}

void write_method(hid_t root, const char* name, const ab_initio::IonSettings& settings) {
  const Handle group = make_group(root, name);
  const bool exact = settings.method == ab_initio::IonMethod::exact;
  h5::write_text(group.get(), "method", exact ? "exact" : "splines", "job");
  h5::write_number<std::int32_t>(group.get(), "spline_order", settings.order, "job");
  const std::vector<std::int32_t> grid(settings.grid.begin(), settings.grid.end());
  h5::write_number<std::int32_t>(group.get(), "spline_grid", grid, "job");
  h5::write_number(group.get(), "exact_seconds", settings.exact_seconds, "job");
  h5::write_number(group.get(), "spline_seconds", settings.spline_seconds, "job");
}

void write_settings(hid_t root, const ab_initio::Job& job) {
  const Handle electrons = make_group(root, "electrons");
  h5::write_number(electrons.get(), "cutoff", job.electrons.cutoff, "job");
  const std::vector<std::int32_t> grid(job.electrons.grid.begin(), job.electrons.grid.end());
  h5::write_number<std::int32_t>(electrons.get(), "grid", grid, "job");
  h5::write_number<std::int32_t>(electrons.get(), "bands", job.electrons.bands, "job");
  h5::write_number<std::int32_t>(electrons.get(), "spins", job.electrons.spins, "job");
  if (job.electrons.spins == 2)
    h5::write_number<std::int32_t>(electrons.get(), "bands_up", job.electrons.bands_up, "job");
  h5::write_text(electrons.get(), "functional", job.electrons.functional, "job");
  h5::write_number(electrons.get(), "gradient_density_threshold",
                   job.electrons.gradient_density_threshold, "job");
  h5::write_number(electrons.get(), "gradient_sigma_threshold",
                   job.electrons.gradient_sigma_threshold, "job");
  if (job.electrons.removes_net_force)
    h5::write_number<std::int32_t>(electrons.get(), "removes_net_force", 1, "job");
  h5::write_number<std::int32_t>(electrons.get(), "mirrors_negative_density",
                                 job.electrons.mirrors_negative_density ? 1 : 0, "job");
  if (const auto& dispersion = job.dispersion) {
    const Handle group = make_group(root, "dispersion");
    h5::write_text(group.get(), "model", dispersion->model, "job");
    h5::write_number(group.get(), "energy", dispersion->energy, "job");
    h5::write_array(group.get(), "forces",
                    reinterpret_cast<const double*>(dispersion->forces.data()),
                    {dispersion->forces.size(), 3}, "job");
    h5::write_array(group.get(), "strain", dispersion->strain.data(), {3, 3}, "job");
  }
  write_method(root, "nonlocal", job.nonlocal);
  write_method(root, "local", job.local);
  const Handle ground = make_group(root, "ground_state");
  h5::write_text(
      ground.get(), "minimiser",
      std::string(word_of(std::span(ab_initio::minimiser_names), job.ground_state.minimiser)),
      "job");
  h5::write_number(ground.get(), "tolerance", job.ground_state.tolerance, "job");
  h5::write_number(ground.get(), "energy_tolerance", job.ground_state.energy_tolerance, "job");
  h5::write_number<std::int64_t>(ground.get(), "iterations", job.ground_state.iterations, "job");
  h5::write_text(ground.get(), "start",
                 std::string(word_of(std::span(ab_initio::start_names), job.ground_state.start)),
                 "job");
  h5::write_number<std::uint64_t>(ground.get(), "seed", job.ground_state.seed, "job");
  const Handle division = make_group(root, "division");
  h5::write_number<std::int32_t>(division.get(), "state_grain", job.division.state_grain, "job");
  h5::write_number<std::int32_t>(division.get(), "wave_parts", job.division.wave_parts, "job");
  h5::write_number<std::int32_t>(division.get(), "density_parts", job.division.density_parts,
                                 "job");
  h5::write_number<std::int32_t>(division.get(), "pair_groups", job.division.pair_groups, "job");
  // Without it, all orbitals.
  if (job.division.pair_chunks > 1)
    h5::write_number<std::int32_t>(division.get(), "pair_chunks", job.division.pair_chunks, "job");
  if (job.division.plane_pieces > 1)
    h5::write_number<std::int32_t>(division.get(), "plane_pieces", job.division.plane_pieces,
                                   "job");
  if (job.division.tile_grain > 0)
    h5::write_number<std::int32_t>(division.get(), "tile_grain", job.division.tile_grain, "job");
  const Handle outputs = make_group(root, "outputs");
  h5::write_number<std::int32_t>(outputs.get(), "density", job.writes_density ? 1 : 0, "job");
  h5::write_number<std::int32_t>(outputs.get(), "orbitals", job.keeps_orbitals ? 1 : 0, "job");
  h5::write_number<double>(outputs.get(), "checkpoint_seconds", job.checkpoint_seconds, "job");
}

/// All attributes, also those that the kind of dynamics does not need.
void write_dynamics(hid_t root, const ab_initio::DynamicsSettings& dynamics) {
  using namespace ab_initio;
  if (dynamics.kind == DynamicsKind::none) return;
  const Handle group = make_group(root, "dynamics");
  const hid_t at = group.get();
  const auto text = [&](const char* name, const char* value) {
    h5::write_text(at, name, value, "job");
  };
  const auto number = [&](const char* name, auto value) {
    h5::write_number(at, name, value, "job");
  };
  text("kind",
       dynamics.kind == DynamicsKind::car_parrinello ? "car-parrinello" : "born-oppenheimer");
  number("timestep", dynamics.timestep);
  number("steps", dynamics.steps);
  number("ions_rest", std::int32_t{dynamics.ions_rest ? 1 : 0});
  number("seed", dynamics.seed);
  text("orthonormality", dynamics.orthonormality == Orthonormality::free ? "free" : "constrained");
  number("fictitious_mass", dynamics.fictitious_mass);
  number("mass_cutoff", dynamics.mass_cutoff);
  number("constraint_tolerance", dynamics.constraint_tolerance);
  number("reset_above", dynamics.reset_above);
  number("predictor_order", std::int32_t{dynamics.predictor_order});
  constexpr const char* ion_baths[] = {"none", "nose-hoover", "rescaling", "langevin"};
  const IonBathSettings& ions = dynamics.ion_bath;
  text("ion_bath", ion_baths[static_cast<int>(ions.kind)]);
  number("ion_temperature", ions.temperature);
  number("ion_time_constant", ions.time_constant);
  number("ion_chain_length", std::int32_t{ions.chain_length});
  const ElectronBathSettings& electrons = dynamics.electron_bath;
  text("electron_bath", electrons.kind == ElectronBathKind::none ? "none" : "nose-hoover");
  number("electron_kinetic", electrons.kinetic);
  number("electron_time_constant", electrons.time_constant);
  number("electron_chain_length", std::int32_t{electrons.chain_length});
  if (dynamics.cell.moves != MovingCell::nothing) {
    constexpr const char* cells[] = {"fixed", "isotropic", "lengths", "full"};
    text("cell", cells[static_cast<int>(dynamics.cell.moves)]);
    number("pressure", dynamics.cell.pressure);
    number("cell_mass", dynamics.cell.mass);
    number("cell_friction", dynamics.cell.friction);
  }
  number("energy_steps", dynamics.energy_steps);
  number("trajectory_steps", dynamics.trajectory_steps);
}

}  // namespace

void write_ab_initio_job(const std::string& path, const ab_initio::Job& job,
                         const std::function<void(hid_t)>& change) {
  const h5::Lock lock;
  const Handle file = h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const hid_t root = file.get();
  h5::write_text(root, "format", "finegrain-job", path);
  h5::write_number<std::int64_t>(root, "version", 1, path);
  h5::write_text(root, "kind", std::string(ab_initio::kind_name), path);
  h5::write_text(root, "title", job.title, path);
  const Handle cell = make_group(root, "cell"), ions = make_group(root, "ions");
  write_vectors(cell.get(), "vectors", job.cell.vectors);
  h5::write_text(cell.get(), "boundary", job.isolated ? "isolated" : "periodic", path);
  write_vectors(ions.get(), "position", job.positions);
  write_list(ions.get(), "species", job.species_of);
  write_list(ions.get(), "mass", job.masses);
  if (!job.velocities.empty()) write_vectors(ions.get(), "velocity", job.velocities);
  if (!job.moments.empty()) write_list(ions.get(), "moment", job.moments);
  const Handle species = make_group(root, "species");
  h5::write_number<std::int32_t>(species.get(), "count",
                                 static_cast<std::int32_t>(job.species.size()), path);
  h5::write_number(species.get(), "spacing", job.table_spacing, path);
  for (std::size_t i = 0; i < job.species.size(); ++i) {
    const Handle one = make_group(species.get(), std::to_string(i));
    write_species(one.get(), job.species[i]);
  }
  write_settings(root, job);
  write_dynamics(root, job.dynamics);
  if (change) change(root);
}

ab_initio::Job read_again(const ab_initio::Job& job, const std::function<void(hid_t)>& change) {
  const TestFolder folder;
  write_ab_initio_job(folder / "job.h5", job, change);
  return ab_initio::read_job(JobFile(folder / "job.h5"));
}

std::string refusal_of(const ab_initio::Job& job, const std::function<void(hid_t)>& change) {
  try {
    read_again(job, change);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.parts().hint.empty()) << error.what();
    return error.what();
  }
  return "accepted";
}

}  // namespace fg::test
