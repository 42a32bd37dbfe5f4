// SPDX-License-Identifier: BSD-3-Clause
//
// Small ab initio jobs with the pseudopotentials of Goedecker, Teter and Hutter, whose transforms
// are formulas: silicon and hydrogen (LDA, Hartwigsen et al., Phys. Rev. B 58, 3641 (1998), table
// I).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "base/vec3.hpp"

namespace fg::test {

struct GthChannel {
  int l;
  double radius;
  std::vector<double> h;  // h_11, or h_11 h_12 h_22
};
struct GthElement {
  const char* symbol;
  double charge, radius;
  std::vector<double> c;  // C1 to C4
  std::vector<GthChannel> channels;
};

inline GthElement gth_silicon() {
  return {"Si",
          4,
          0.44,
          {-7.336103},
          {{0, 0.422738, {5.906928, -1.26189397, 3.258196}}, {1, 0.484278, {2.727013}}}};
}
inline GthElement gth_hydrogen() {
  return {"H", 1, 0.2, {-4.180237, 0.725075}, {}};
}

inline double gth_local(const GthElement& e, double g) {
  const double x = g * e.radius, x2 = x * x;
  const double c[4] = {!e.c.empty() ? e.c[0] : 0, e.c.size() > 1 ? e.c[1] : 0,
                       e.c.size() > 2 ? e.c[2] : 0, e.c.size() > 3 ? e.c[3] : 0};
  return std::pow(2 * std::numbers::pi, 1.5) * std::pow(e.radius, 3) * std::exp(-x2 / 2) *
         (c[0] + c[1] * (3 - x2) + c[2] * (15 - 10 * x2 + x2 * x2) +
          c[3] * (105 - 105 * x2 + 21 * x2 * x2 - x2 * x2 * x2));
}

inline double gth_projector(int l, int i, double r, double g) {
  const double y = g * r, y2 = y * y;
  const double front = std::pow(std::numbers::pi, 1.25) * std::exp(-y2 / 2);
  if (l == 0 && i == 1) return 4 * std::sqrt(2.0) * std::pow(r, 1.5) * front;
  if (l == 0) return 8 * std::sqrt(2.0 / 15) * std::pow(r, 1.5) * front * (3 - y2);
  if (i == 1) return 8 / std::sqrt(3.0) * std::pow(r, 2.5) * front * g;
  return 16 / std::sqrt(105.0) * std::pow(r, 2.5) * front * g * (5 - y2);
}

inline ab_initio::Species gth_species(const GthElement& e, double spacing, double longest) {
  const auto table = [&](const auto& f) {
    ab_initio::Table values;
    for (int i = 0; i * spacing < longest + 10 * spacing; ++i) values.push_back(f(i * spacing));
    return values;
  };
  ab_initio::Species species;
  species.symbol = species.file = e.symbol;
  species.charge = e.charge;
  species.width = std::numbers::sqrt2 * e.radius;
  species.local = table([&](double g) { return gth_local(e, g); });
  std::vector<std::vector<double>> rows;
  for (const GthChannel& channel : e.channels) {
    const std::size_t n = channel.h.size() == 1 ? 1 : 2, first = species.projectors.size();
    for (std::size_t i = 0; i < n; ++i)
      species.projectors.push_back({channel.l, table([&](double g) {
                                      return gth_projector(channel.l, static_cast<int>(i) + 1,
                                                           channel.radius, g);
                                    })});
    for (auto& row : rows) row.resize(first + n);
    for (std::size_t i = 0; i < n; ++i) {
      rows.emplace_back(first + n);
      for (std::size_t k = 0; k < n; ++k)
        rows.back()[first + k] = n == 1 ? channel.h[0] : channel.h[i + k];
    }
  }
  // Gaussian orbitals of s and p; their norm does not count.
  const double width = e.charge > 1 ? 1.5 : 1.0;
  for (int l = 0; l < (e.charge > 1 ? 2 : 1); ++l)
    species.orbitals.push_back({l, l == 0 ? 2.0 : e.charge - 2, table([&](double g) {
                                  return std::pow(g, l) * std::exp(-g * g * width * width / 2);
                                })});
  for (const auto& row : rows)
    species.coupling.insert(species.coupling.end(), row.begin(), row.end());
  return species;
}

/// A silane molecule out of equilibrium with a hydrogen molecule beside it, in a skewed cell: no
/// symmetry, two species, projectors of two l, a wide gap.
inline ab_initio::Job gth_job(const std::string& functional = "PW92") {
  ab_initio::Job job;
  job.title = "silane and hydrogen";
  job.cell.vectors = {Vec3{9.1, 0.2, 0.1}, Vec3{0.4, 8.7, -0.3}, Vec3{-0.2, 0.5, 9.4}};
  job.positions = {{0.3, 0.1, 0.2},   {1.9, 1.8, 1.9}, {-1.3, -1.4, 1.8}, {-1.4, 1.7, -1.5},
                   {1.8, -1.5, -1.4}, {4.6, 4.4, 5.0}, {5.0, 5.2, 6.1}};
  job.species_of = {0, 1, 1, 1, 1, 1, 1};
  job.masses = {51196, 1837, 1837, 1837, 1837, 1837, 1837};
  job.table_spacing = 0.01;
  job.electrons = {.cutoff = 4, .grid = {18, 18, 18}, .bands = 5, .functional = functional};
  const double longest = 2 * job.largest_wave();
  job.species = {gth_species(gth_silicon(), job.table_spacing, longest),
                 gth_species(gth_hydrogen(), job.table_spacing, longest)};
  // For splines, which a test may choose.
  job.nonlocal.grid = {14, 14, 14};
  job.local.grid = {25, 25, 25};
  job.ground_state = {.minimiser = ab_initio::MinimiserKind::l_bfgs,
                      .tolerance = 1e-7,
                      .energy_tolerance = 0,
                      .iterations = 200,
                      .start = ab_initio::StartKind::random,
                      .seed = 1};
  job.division = {.state_grain = 2, .wave_parts = 1, .density_parts = 1};
  return job;
}

/// The silane with a hydrogen atom, which has an unpaired electron.
inline ab_initio::Job spin_job(const std::string& functional = "PW92") {
  ab_initio::Job job = gth_job(functional);
  job.positions.pop_back();
  job.species_of.pop_back();
  job.masses.pop_back();
  job.electrons.spins = 2;
  job.electrons.bands = 9;
  job.electrons.bands_up = 5;
  job.moments = {0, 0, 0, 0, 0, 1};
  return job;
}

/// The job with a soft model core of silicon, made up.
inline ab_initio::Job with_core(ab_initio::Job job) {
  for (std::size_t i = 0; i < job.species[0].local.size(); ++i) {
    const double g = static_cast<double>(i) * job.table_spacing;
    job.species[0].core.push_back(1.5 * std::exp(-g * g / 2));
  }
  return job;
}

}  // namespace fg::test
