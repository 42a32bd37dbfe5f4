// SPDX-License-Identifier: BSD-3-Clause
//
// A job made in memory: rigid TIP3P waters on a lattice, randomly turned, and a few flexible chains
// of six charged beads, so that every kind of object has work.
// Units: Hartree atomic units.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "base/units.hpp"
#include "records/job/job.hpp"
#include "support/random_cells.hpp"

namespace fg::test {

struct WaterJobOptions {
  int per_axis = 8;  // lattice points per axis; one in 64 holds a chain
  Int3 patches{2, 2, 2};
  Int3 reach{1, 1, 1};
  int pair_computes = 14;  // of a patch
  PairAssignment pairs = PairAssignment::half_shell;
  std::array<int, 3> cells{};  // of midpoints, cut anywhere; none: one for each patch
  Precision precision = Precision::mixed_precision;
  IntegratorKind integrator = IntegratorKind::verlet;
  bool sites = false;       // waters with a virtual site, of each kind in turn
  bool restraints = false;  // on every seventh atom that has a mass, beside its start
  bool tilted = false;      // in a tilted cell; eight per axis give the same lattice
  bool trials = false;      // of the volume, at every second rebuild
  bool compressed = false;  // thin, and about 4 % smaller on each edge after every rebuild
  bool rescaling = false;   // of velocities, as the thermostat
  bool slab = false;        // in the lower third of the box only, with nothing above
  int pair_interval = 1, long_range_interval = 1;
  BarostatKind barostat = BarostatKind::none;
  BoxCoupling coupling = BoxCoupling::isotropic;
};

inline Job water_job(const WaterJobOptions& options = {}) {
  constexpr double angstrom = 1 / units::bohr_in_angstrom;
  constexpr double kj_per_mol = 1 / units::hartree_in_kj_per_mol;
  constexpr double dalton = 1 / units::electron_mass_in_dalton;
  const double spacing = (options.compressed ? 1.25 : 1) * 3.107 * angstrom;  // 1: 0.997 g/cm^3
  // TIP3P: Jorgensen et al., J. Chem. Phys. 79, 926 (1983).
  constexpr double r_oh = 0.9572 * angstrom, half_angle = 104.52 / 2 * std::numbers::pi / 180;

  Job job;
  job.title = "water on a lattice";
  const double edge = spacing * options.per_axis;
  job.box.edge = {edge, edge, edge};
  if (options.tilted) job.box.tilt = {edge / 2, edge / 2, edge / 2};
  auto& atoms = job.atoms;
  auto& terms = job.terms;
  auto& topology = job.topology;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);

  const auto add = [&](const Vec3& at, double mass, double charge, double sigma, double epsilon,
                       int fragment) {
    atoms.position.push_back(at);
    atoms.velocity.push_back({});
    atoms.mass.push_back(mass * dalton);
    atoms.charge.push_back(charge);
    atoms.sigma.push_back(sigma * angstrom);
    atoms.epsilon.push_back(epsilon * kj_per_mol);
    atoms.fragment.push_back(fragment);
    atoms.residue.push_back(0);
    atoms.name.emplace_back("X");
    atoms.element.emplace_back("X");
    return static_cast<std::int32_t>(atoms.mass.size()) - 1;
  };
  const auto exclude = [&](std::int32_t a, std::int32_t b) {
    terms.of<ExceptionPair>().push_back({.atoms = {a, b}});
  };
  const auto direction = [&] {
    Vec3 v;
    do v = {uniform(random), uniform(random), uniform(random)};
    while (dot(v, v) > 1 || dot(v, v) < 0.1);
    return v * (1 / norm(v));
  };
  int fragment = 0;
  const auto water = [&](const Vec3& at) {
    const Vec3 axis = direction();
    Vec3 side = cross(axis, direction());
    side *= 1 / norm(side);
    const Vec3 down = axis * (r_oh * std::cos(half_angle));
    const Vec3 out = side * (r_oh * std::sin(half_angle));
    const auto o = add(at, 15.9994, options.sites ? 0 : -0.834, 3.1507, 0.636, fragment);
    const auto h1 = add(at + down + out, 1.008, 0.417, 1, 0, fragment);
    const auto h2 = add(at + down - out, 1.008, 0.417, 1, 0, fragment);
    if (options.sites) {
      const auto m = add(at, 0, -0.834, 1, 0, fragment);  // it is put in its place by the engine
      const auto kind = static_cast<SiteKind>(topology.virtual_sites.size() % 3);
      VirtualSite site{.site = m, .kind = kind, .parents = {o, h1, h2, -1}};
      site.weights = {0.74, 0.13, 0.13, 0};
      site.x_weights = {-1, 0.5, 0.5, 0};
      site.y_weights = {0, -1, 1, 0};
      if (kind == SiteKind::out_of_plane) site.offset = {0, 0, 0.05};
      if (kind == SiteKind::local_frame) site.offset = {0.05, 0.02, 0.1};
      topology.virtual_sites.push_back(site);
      exclude(o, m), exclude(h1, m), exclude(h2, m);
    }
    ++fragment;
    const double r_hh = 2 * norm(out);
    topology.waters.push_back({{o, h1, h2}, r_oh, r_hh});
    topology.constraints.push_back({{o, h1}, r_oh});
    topology.constraints.push_back({{o, h2}, r_oh});
    topology.constraints.push_back({{h1, h2}, r_hh});
    exclude(o, h1), exclude(o, h2), exclude(h1, h2);
  };
  const auto chain = [&](const Vec3& at) {
    std::array<std::int32_t, 6> bead;
    for (int i = 0; i < 6; ++i)
      bead[i] = add(at + Vec3{i * 1.25 * angstrom, (i % 2) * 0.85 * angstrom, 0}, 12.0,
                    i % 2 ? 0.1 : -0.1, 3.0, 0.3, fragment++);
    for (int i = 0; i < 5; ++i) {
      terms.of<HarmonicBond>().push_back({{bead[i], bead[i + 1]}, 1.51 * angstrom, 0.3});
      exclude(bead[i], bead[i + 1]);
    }
    for (int i = 0; i < 4; ++i) {
      terms.of<HarmonicAngle>().push_back({{bead[i], bead[i + 1], bead[i + 2]}, 1.95, 0.16});
      exclude(bead[i], bead[i + 2]);
    }
    for (int i = 0; i < 3; ++i) {
      terms.of<PeriodicTorsion>().push_back(
          {{bead[i], bead[i + 1], bead[i + 2], bead[i + 3]}, 3, 0.0, 0.0005});
      terms.of<ExceptionPair>().push_back({.atoms = {bead[i], bead[i + 3]},
                                           .charge_product = -0.005,
                                           .sigma = 3.0 * angstrom,
                                           .epsilon = 0.1 * kj_per_mol});
    }
  };

  // A chain takes the place of three waters in a row.
  const int n = options.per_axis;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < (options.slab ? n / 3 : n); ++z) {
        const Vec3 at{(x + 0.25) * spacing, (y + 0.25) * spacing, (z + 0.25) * spacing};
        if (y % 4 == 1 && z % 4 == 1 && x % 4 < 3) {
          if (x % 4 == 0) chain(at);
        } else {
          water(at);
        }
      }
  job.residues = {.name = {"TST"}, .chain = {"A"}, .number = {1}};

  for (std::int32_t i = 0; options.restraints && i < job.atoms.size(); i += 7)
    if (atoms.mass[i] > 0)
      job.restraints.push_back({.atom = i,
                                .stiffness = {0.01, 0.02, 0.005},
                                .reference = atoms.position[i] + Vec3{edge, 0.3, -0.2}});
  if (options.barostat != BarostatKind::none)  // fixed references would resist the box
    for (PositionRestraint& restraint : job.restraints) restraint.anchor = restraint.reference;

  auto& s = job.settings;
  s.cutoff = 7.0 * angstrom;
  s.ewald_coefficient = 0.45 / angstrom;
  const int points = 4 * n;
  s.mesh = {points, points, points};
  s.spline_order = 4;
  s.list_cutoff = 8.0 * angstrom;
  s.inner_list_cutoff = 7.4 * angstrom;
  s.rebuild_interval = options.long_range_interval > 2 ? 20 : 10;
  s.prune_interval = options.pair_interval > 1 ? options.long_range_interval : 5;
  s.patch_grid = options.patches;
  s.reach = options.reach;
  s.pair_computes = options.pair_computes;
  s.pairs = options.pairs;
  if (const auto& [x, y, z] = options.patches; options.cells[0] > 0)
    job.cells = random_cells(options.cells, {x, y, z}, 17);
  s.pencil_grid[0] = s.pencil_grid[1] = 2;
  s.precision = options.precision;
  auto& d = job.dynamics;
  d.integrator = options.integrator;
  d.timestep = 1.0 / units::time_in_fs;
  d.temperature = 300 / units::hartree_in_kelvin;
  d.velocities = StartVelocities::drawn;
  d.friction = 1e-3 * units::time_in_fs;
  d.pair_interval = options.pair_interval;
  d.long_range_interval = options.long_range_interval;
  if (options.rescaling) d.thermostat_time = 100 / units::time_in_fs;
  d.barostat = options.barostat;
  d.coupling = options.coupling;
  d.pressure = 1 / units::pressure_in_bar;
  d.compressibility = 4.6e-5 * units::pressure_in_bar;
  d.barostat_time = 500 / units::time_in_fs;
  d.piston_period = 500 / units::time_in_fs;
  d.seed = 3;
  d.com_interval = 20;
  d.constraint_tolerance = 1e-10;
  if (options.compressed) {
    // Against this target the pressure of the system is small: see StochasticRescaling::strain.
    d.barostat = BarostatKind::stochastic_rescaling;
    d.pressure = 1e5 / units::pressure_in_bar;
    d.compressibility = 4.6e-5 * units::pressure_in_bar;
    const double interval = s.rebuild_interval * d.timestep;
    d.barostat_time = d.compressibility * interval * d.pressure / (3 * 0.04);
  }
  if (options.trials) {
    d.barostat = BarostatKind::monte_carlo;
    d.barostat_interval = 2 * s.rebuild_interval;
  }
  return job;
}

}  // namespace fg::test
