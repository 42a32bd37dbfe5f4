// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/results.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/sha256.hpp"
#include "electrons/ions/molecule.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

namespace {

constexpr const char* format = "finegrain-ground-state";

/// What one process has of the elements of an array, by ordinal.
template <class C, class Take>
std::vector<std::byte> parts_here(const Array<C>& array, const Take& take) {
  ByteWriter bytes;
  for (int i = 0; i < array.size(); ++i) {
    if (!array.here_at(i)) continue;
    bytes.put(std::int32_t{i});
    take(array.object_at(i), bytes);
  }
  return std::move(bytes).take();
}

std::vector<std::vector<std::byte>> gathered(Transport* transport, std::vector<std::byte> mine) {
  if (!transport) return {std::move(mine)};
  return transport->gather(mine);
}

/// Calls visit(ordinal, bytes) for each element that parts_here has put down in all processes.
template <class Visit>
void for_each_element(const std::vector<std::vector<std::byte>>& parts, const Visit& visit) {
  for (const auto& part : parts) {
    ByteReader bytes(part);
    while (!bytes.empty()) {
      const auto ordinal = bytes.get<std::int32_t>();
      visit(static_cast<std::size_t>(ordinal), bytes);
    }
  }
}

/// A field at the points of all parts of the density.
void gather_field(const Objects& objects, Transport* transport,
                  Density::Points (Density::*points_of)() const, std::vector<double>& field) {
  const auto parts = gathered(
      transport, parts_here(objects.density, [&](const Density& density, ByteWriter& bytes) {
        const Density::Points points = (density.*points_of)();
        bytes.put(std::vector<double>(points.begin(), points.end()));
      }));
  if (parts.empty()) return;
  const fft::GridBox whole = fft::whole(objects.job->electrons.grid);
  field.resize(whole.volume());
  std::vector<double> values;
  for_each_element(parts, [&](std::size_t d, ByteReader& bytes) {
    bytes.get(values);
    for_each_row(objects.basis->density_points(static_cast<int>(d)), whole,
                 [&](std::size_t from, std::size_t to, std::size_t points) {
                   for (std::size_t i = 0; i < points; ++i) field[to + i] = values[from + i];
                 });
  });
}

void gather_density(const Objects& objects, Transport* transport, GroundState& result) {
  if (!objects.job->writes_density) return;
  gather_field(objects, transport, &Density::points, result.density);
  if (objects.job->electrons.spins == 1) return;
  gather_field(objects, transport, &Density::spin_points, result.spin_density);
}

/// Sums over the parts of the density, in their order.
void gather_molecule(const Objects& objects, Transport* transport, GroundState& result) {
  const Job& job = *objects.job;
  const electrons::MoleculePlace place = electrons::place_of(result.cell, result.positions);
  if (!place.has_vacuum()) return;
  const auto parts = gathered(
      transport, parts_here(objects.density, [&](const Density& density, ByteWriter& bytes) {
        const int part = density.index()[0];
        bytes.put(electrons::electron_dipole(density.plane_waves(), place.centre, density.waves()));
        bytes.put(electrons::electrons_outside(result.cell, place.centre, job.electrons.grid,
                                               objects.basis->density_points(part),
                                               density.points()));
      }));
  if (parts.empty()) return;
  std::vector<Vec3> dipoles(static_cast<std::size_t>(objects.density.size()));
  std::vector<double> outside(dipoles.size());
  for_each_element(parts, [&](std::size_t i, ByteReader& bytes) {
    bytes.get(dipoles[i]);
    bytes.get(outside[i]);
  });
  result.dipole = electrons::ion_dipole(result.cell, place.centre, job.charges(), result.positions);
  for (const Vec3& dipole : dipoles) *result.dipole += dipole;
  result.outside = std::accumulate(outside.begin(), outside.end(), 0.0);
}

void gather_digest(const Objects& objects, Transport* transport, GroundState& result) {
  const auto parts = gathered(
      transport, parts_here(objects.orbitals, [](const Orbitals& orbitals, ByteWriter& bytes) {
        bytes.put(coefficients_digest(orbitals.coefficients()));
      }));
  if (parts.empty()) return;
  std::vector<std::string> digests(static_cast<std::size_t>(objects.orbitals.size()));
  for_each_element(parts, [&](std::size_t i, ByteReader& bytes) { bytes.get(digests[i]); });
  result.digest = state_digest(digests, result);
}

void write(const Job& job, const GroundState& result, hid_t root, const std::string& path) {
  h5::write_text(root, "format", format, path);
  h5::write_number<std::int64_t>(root, "version", 1, path);
  h5::write_text(root, "units", "Hartree atomic units", path);
  h5::write_text(root, "title", job.title, path);
  h5::write_text(root, "functional", job.electrons.functional, path);
  h5::write_text(root, "boundary", job.isolated ? "isolated" : "periodic", path);
  if (job.isolated) h5::write_number(root, "electrons_outside", result.outside, path);
  h5::write_number<std::int32_t>(root, "converged", result.converged ? 1 : 0, path);
  h5::write_number<std::int64_t>(root, "iterations", result.history.back().number, path);
  h5::write_number(root, "residual", result.residual(), path);
  h5::write_number(root, "energy", result.energies.total(), path);
  h5::write_text(root, "state_digest", result.digest, path);
  const auto group = [&](const char* name) {
    h5::Handle made = h5::group(H5Gcreate2(root, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    h5::check_write(static_cast<bool>(made), path);
    return made;
  };
  const h5::Handle energies = group("energies");
  for (const auto& [name, energy] : result.energies.terms())
    h5::write_array(energies.get(), name.c_str(), &energy, {}, path);
  const double total = result.energies.total();
  h5::write_array(energies.get(), "total", &total, {}, path);
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const auto vectors = [&](hid_t at, const char* name, std::span<const Vec3> values) {
    h5::write_array(at, name, reinterpret_cast<const double*>(values.data()), {values.size(), 3},
                    path);
  };
  vectors(root, "forces", result.forces);
  const std::array net{result.net_force.x, result.net_force.y, result.net_force.z};
  h5::write_array(root, "net_force", net.data(), {3}, path);
  if (!job.isolated) h5::write_array(root, "stress", result.stress.data(), {3, 3}, path);
  if (result.dipole) {
    const std::array dipole{result.dipole->x, result.dipole->y, result.dipole->z};
    h5::write_array(root, "dipole", dipole.data(), {3}, path);
  }
  h5::write_array(root, "eigenvalues", result.eigenvalues.data(), {result.eigenvalues.size()},
                  path);
  h5::write_number<std::int32_t>(root, "spins", job.electrons.spins, path);
  if (const auto& empty = result.empty) {
    h5::write_array(root, "empty_eigenvalues", empty->energies.data(), {empty->energies.size()},
                    path);
    h5::write_number<std::int32_t>(root, "empty_up", empty->up, path);
    h5::write_number<std::int32_t>(root, "empty_converged", empty->converged ? 1 : 0, path);
    h5::write_number(root, "gap", empty->gap, path);
  }
  if (job.electrons.spins == 2) {
    h5::write_number<std::int32_t>(root, "bands_up", job.electrons.bands_up, path);
    h5::write_array(root, "magnetization", result.magnetization.data(), {2}, path);
  }
  std::vector<double> history;
  for (const Iteration& one : result.history)
    history.insert(history.end(), {one.energy, one.residual, one.seconds});
  h5::write_array(root, "history", history.data(), {result.history.size(), 3}, path);
  const auto field = [&](const char* name, const std::vector<double>& values) {
    const auto& grid = job.electrons.grid;
    if (values.empty()) return;
    h5::write_array(root, name, values.data(),
                    {static_cast<hsize_t>(grid[0]), static_cast<hsize_t>(grid[1]),
                     static_cast<hsize_t>(grid[2])},
                    path);
  };
  field("density", result.density);
  field("spin_density", result.spin_density);
  const h5::Handle cell = group("cell"), ions = group("ions");
  vectors(cell.get(), "vectors", result.cell.vectors);
  vectors(ions.get(), "position", result.positions);
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < job.species_of.size(); ++i)
    symbols.push_back(job.species_of_ion(i).symbol);
  h5::write_texts(ions.get(), "symbol", symbols, path);
}

}  // namespace

std::string coefficients_digest(std::span<const std::complex<double>> coefficients) {
  Sha256 digest;
  digest.add(
      std::span(reinterpret_cast<const double*>(coefficients.data()), 2 * coefficients.size()));
  return digest.hex();
}

std::string state_digest(std::span<const std::string> parts, const GroundState& result) {
  Sha256 all;
  for (const std::string& digest : parts) all.add(std::string_view(digest));
  for (const auto& [name, energy] : result.energies.terms()) all.add(energy);
  for (const Vec3& force : result.forces)
    for (int axis = 0; axis < 3; ++axis) all.add(force[axis]);
  for (const double component : result.stress) all.add(component);
  return all.hex();
}

void gather_results(const Objects& objects, Transport* transport, GroundState& result) {
  gather_density(objects, transport, result);
  gather_molecule(objects, transport, result);
  gather_digest(objects, transport, result);
}

void save_ground_state(const std::string& path, const Job& job, const GroundState& result) {
  replace_file(path, h5::image_of_file(path, [&](hid_t root) { write(job, result, root, path); }));
}

}  // namespace fg::ab_initio
