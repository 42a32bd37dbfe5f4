// SPDX-License-Identifier: BSD-3-Clause
//
// A box of three-site water at room density, on a jittered lattice, with extra exclusions between
// some neighbouring molecules so that they cross patches; and the pair forces on it by PairWork on
// any grid of patches.
// Units: Hartree atomic units.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/units.hpp"
#include "forces/pair/pair_work.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "particles/half_shell.hpp"
#include "particles/midpoints.hpp"
#include "particles/patch_grid.hpp"

namespace fg::test {

struct PairSystem {
  Box box;
  std::vector<Vec3> positions;
  AtomParameters atoms;
  ExclusionTable exclusions;
};

/// `molecules` per axis, 5.87 bohr (3.1 Angstrom) apart. Charges and LJ terms are those of TIP3P;
/// every seventh hydrogen also has a small LJ term, so that all kinds of rows occur.
inline PairSystem make_water(std::array<int, 3> molecules, std::uint32_t seed,
                             bool extra_exclusions = true) {
  constexpr double spacing = 5.87;
  constexpr double r_oh = 0.9572 / units::bohr_in_angstrom, half_angle = 0.5 * 1.82421813;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  PairSystem s;
  s.box.edge = {molecules[0] * spacing, molecules[1] * spacing, molecules[2] * spacing};
  std::vector<std::array<std::int32_t, 2>> excluded;
  for (int i = 0; i < molecules[0]; ++i) {
    for (int j = 0; j < molecules[1]; ++j) {
      for (int k = 0; k < molecules[2]; ++k) {
        const auto o = static_cast<std::int32_t>(s.positions.size());
        const auto direction = [&] {
          Vec3 v;
          do v = {uniform(random), uniform(random), uniform(random)};
          while (dot(v, v) > 1.0 || dot(v, v) < 0.01);
          return v * (1.0 / norm(v));
        };
        const Vec3 axis = direction();
        Vec3 side = cross(axis, direction());
        side *= 1.0 / norm(side);
        const Vec3 at = Vec3{i + 0.5 + 0.1 * uniform(random), j + 0.5 + 0.1 * uniform(random),
                             k + 0.5 + 0.1 * uniform(random)} *
                        spacing;
        s.positions.push_back(at);
        for (const int sign : {-1, 1})
          s.positions.push_back(at + axis * (r_oh * std::cos(half_angle)) +
                                side * (sign * r_oh * std::sin(half_angle)));
        for (const double q : {-0.834, 0.417, 0.417}) s.atoms.charge.push_back(q);
        const double sigma = 3.15 / units::bohr_in_angstrom,
                     epsilon = 0.636 / units::hartree_in_kj_per_mol;
        s.atoms.sigma.insert(s.atoms.sigma.end(), {sigma, 1.0, 1.0});
        s.atoms.epsilon.insert(s.atoms.epsilon.end(), {epsilon, 0.0, o % 7 == 0 ? 1e-5 : 0.0});
        excluded.insert(excluded.end(), {{o, o + 1}, {o, o + 2}, {o + 1, o + 2}});
      }
    }
  }
  const auto n = static_cast<std::int32_t>(s.positions.size());
  if (extra_exclusions) {
    for (std::int32_t a = 0; a < n; a += 5) {
      for (std::int32_t b = a + 1; b < n; b += 3) {
        const Vec3 d = s.box.nearest_image(s.positions[a] - s.positions[b]);
        if (norm(d) < 7.0) excluded.push_back({b, a});
      }
    }
  }
  s.exclusions = make_exclusion_table(n, excluded);
  return s;
}

/// The same atoms with a table of pairs: types for each of their (sigma, epsilon), and one pair of
/// types with parameters of its own. `variants` types for each, a little different from each other.
inline void give_types(PairSystem& s, int variants = 1) {
  AtomParameters& atoms = s.atoms;
  std::vector<std::array<double, 2>> kinds;
  for (std::size_t i = 0; i < atoms.sigma.size(); ++i) {
    const double stretch = 1 + 0.001 * static_cast<double>(i % variants);
    const std::array<double, 2> kind{atoms.sigma[i] * stretch, atoms.epsilon[i]};
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    atoms.types.of_atom.push_back(static_cast<std::int32_t>(found - kinds.begin()));
    if (found == kinds.end()) kinds.push_back(kind);
  }
  atoms.types.count = static_cast<int>(kinds.size());
  for (const auto& [sigma, epsilon] : kinds)
    for (const auto& [other_sigma, other_epsilon] : kinds) {  // geometric mixing, of both
      atoms.types.sigma.push_back(std::sqrt(sigma * other_sigma));
      atoms.types.epsilon.push_back(std::sqrt(epsilon * other_epsilon));
    }
  for (const int place : {1, atoms.types.count}) {
    atoms.types.sigma[place] = 4.2;
    atoms.types.epsilon[place] = 3e-5;
  }
}

struct PairResult {
  PairEnergies energies;
  std::vector<Vec3> forces;
};

inline double rms(std::span<const Vec3> v) {
  double sum = 0;
  for (const Vec3& x : v) sum += dot(x, x);
  return std::sqrt(sum / static_cast<double>(v.size()));
}
inline double rms_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += dot(a[k] - b[k], a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// Atoms on a grid of patches, with one PairWork per patch and run of the half shell.
template <class Real>
class PatchedSystem {
 public:
  /// `runs`: the number of directions of the half shell for each compute of a patch, in order; all
  /// for one by default.
  PatchedSystem(const PairSystem& system, std::array<int, 3> shape, const PairSettings& settings,
                std::vector<int> runs = {}, const HalfShell& shell = HalfShell())
      : PatchedSystem(system, shape) {
    if (runs.empty()) runs = {shell.size()};
    const auto kernel = std::make_shared<const PairKernel<Real>>(settings, system.atoms.types);
    for (int p = 0; p < grid_.size(); ++p) {
      int direction = 0;
      for (const int run : runs) {
        Compute compute{PairWork<Real>(settings, kernel), {p}, {}};
        std::vector<Partner<Real>> partners{{patches_[p].block, Vec3{}}};
        const bool within_home = direction == 0;
        for (int k = direction; k < direction + run; ++k) {
          if (k == 0) continue;
          const int q = grid_.flat(grid_.neighbour(grid_.unflat(p), shell[k]));
          compute.patches.push_back(q);
          partners.push_back({patches_[q].block, grid_.shift(shell[k])});
        }
        compute.work.set_partners(partners, within_home);
        compute.work.lay_out(compute.quads);
        computes_.push_back(std::move(compute));
        direction += run;
      }
    }
    move(system.positions);
    for (Compute& c : computes_) c.work.build_list();
  }
  /// By midpoints. `cells`: of the box and the shape.
  PatchedSystem(const PairSystem& system, std::array<int, 3> shape, const PairSettings& settings,
                const MidpointCells& cells)
      : PatchedSystem(system, shape) {
    make_midpoint_computes(settings, cells);
  }

  /// New coordinates, close to the first ones.
  void move(std::span<const Vec3> positions) {
    for (int p = 0; p < grid_.size(); ++p) {
      Patch& patch = patches_[p];
      for (std::size_t a = 0; a < patch.ids.size(); ++a)
        patch.home[a] = positions[patch.ids[a]] + patch.offset[a];
      pack_positions<Real>(patch.home, patch.order, grid_.centre(grid_.unflat(p)),
                           patch.packed.data());
    }
    for (Compute& c : computes_) place(c);
  }
  /// Puts a compute into other memory, with the positions of the last move.
  PairWork<Real>& place(int compute, AlignedVector<Real>& quads) {
    Compute& c = computes_[static_cast<std::size_t>(compute)];
    c.work.lay_out(quads);
    place(c);
    return c.work;
  }
  int computes() const noexcept { return static_cast<int>(computes_.size()); }
  void prune() {
    for (Compute& c : computes_) {
      c.work.use_outer_list();
      place(c);
      c.work.prune();
    }
  }

  PairResult run(bool with_energies) {
    PairResult result;
    result.forces.resize(system_.positions.size());
    for (Compute& c : computes_) {
      if (with_energies) {
        const PairEnergies e = c.work.energies();
        result.energies.lennard_jones += e.lennard_jones;
        result.energies.coulomb += e.coulomb;
        for (int k = 0; k < 6; ++k) result.energies.virial[k] += e.virial[k];
      } else {
        c.work.forces();
      }
      for (std::size_t k = 0; k < c.patches.size(); ++k) {
        const Patch& patch = patches_[c.patches[k]];
        const std::int32_t first = c.work.neighbourhood().first_quad(static_cast<int>(k));
        for (const std::int32_t cluster : c.work.touched(static_cast<int>(k))) {
          for (int slot = 8 * cluster; slot < 8 * (cluster + 1); ++slot) {
            const std::int32_t id = patch.block.id[static_cast<std::size_t>(slot)];
            if (id < 0) continue;
            const Real* const forces = c.work.neighbourhood().data() +
                                       (first + slot / 4) * quad::stride + quad::force_x + slot % 4;
            for (int axis = 0; axis < 3; ++axis) result.forces[id][axis] += forces[4 * axis];
          }
        }
      }
    }
    return result;
  }

  /// Calls f(compute, ids by [quad][lane] of its neighbourhood).
  template <class F>
  void for_each_compute(F f) {
    for (Compute& c : computes_) {
      std::vector<std::array<std::int32_t, 4>> ids;
      for (const int p : c.patches)
        for (std::size_t slot = 0; slot < patches_[p].block.id.size(); slot += 4)
          ids.push_back({patches_[p].block.id[slot], patches_[p].block.id[slot + 1],
                         patches_[p].block.id[slot + 2], patches_[p].block.id[slot + 3]});
      ids.push_back({-1, -1, -1, -1});
      f(c.work, ids);
    }
  }

 private:
  struct Patch {
    std::vector<std::int32_t> ids;
    std::vector<Vec3> offset;  // from the image in the input to the one in the box
    std::vector<Vec3> home;
    std::vector<std::uint8_t> has_lj;
    ClusterOrder order;
    PatchBlock<Real> block;
    AlignedVector<Real> packed;
  };
  struct Compute {
    PairWork<Real> work;
    std::vector<int> patches;
    AlignedVector<Real> quads;
  };

  PatchedSystem(const PairSystem& system, std::array<int, 3> shape)
      : system_(system), grid_(system.box, shape), patches_(grid_.size()) {
    for (std::int32_t id = 0; id < static_cast<std::int32_t>(system.positions.size()); ++id) {
      Vec3 r = system.positions[id];
      const Int3 image = system.box.image_of(r);
      for (int axis = 0; axis < 3; ++axis) r[axis] -= image[axis] * system.box.edge[axis];
      Patch& patch = patches_[grid_.flat(grid_.holding(r))];
      patch.ids.push_back(id);
      patch.offset.push_back(r - system.positions[id]);
      patch.home.push_back(r);
      patch.has_lj.push_back(system.atoms.has_lennard_jones(id));
    }
    for (Patch& patch : patches_) {
      make_cluster_order(patch.home, patch.has_lj, patch.order);
      make_patch_block<Real>(patch.ids, patch.order, system.atoms, system.exclusions, patch.block);
      patch.packed.resize(patch.order.clusters() * 24);
    }
  }

  void make_midpoint_computes(const PairSettings& settings, const MidpointCells& cells) {
    const auto kernel = std::make_shared<const PairKernel<Real>>(settings, system_.atoms.types);
    std::vector<PairPart> parts;
    for (int i = 0; i < cells.computes(); ++i) {
      Compute compute{PairWork<Real>(settings, kernel), {}, {}};
      std::vector<Partner<Real>> partners;
      parts.push_back(cells.part(cells.element(i)));
      for (const PairSide& side : parts.back().sides) {
        compute.patches.push_back(grid_.flat(side.patch));
        partners.push_back({patches_[compute.patches.back()].block, grid_.shift(side.offset)});
      }
      compute.work.set_partners(partners, true);
      compute.work.lay_out(compute.quads);
      computes_.push_back(std::move(compute));
    }
    move(system_.positions);
    std::vector<std::vector<QuadPlace>> places(patches_.size());
    for (std::size_t p = 0; p < patches_.size(); ++p)
      place_quads(grid_, patches_[p].block.id, patches_[p].packed.data(), places[p]);
    for (std::size_t i = 0; i < computes_.size(); ++i) {
      Compute& c = computes_[i];
      std::vector<MidpointSide> sides;
      for (std::size_t k = 0; k < c.patches.size(); ++k)
        sides.push_back({parts[i].sides[k].offset, places[c.patches[k]]});
      c.work.build_list_of_midpoints(*parts[i].cell, sides, grid_.widths());
    }
  }

  void place(Compute& c) {
    for (std::size_t k = 0; k < c.patches.size(); ++k)
      c.work.set_positions(static_cast<int>(k), patches_[c.patches[k]].packed.data());
  }

  const PairSystem& system_;
  PatchGrid grid_;
  std::vector<Patch> patches_;
  std::vector<Compute> computes_;
};

}  // namespace fg::test
