// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/step_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "classical/division/atom_patches.hpp"
#include "classical/division/mesh_division.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/places/first_places.hpp"
#include "fft/pencils/common_rows.hpp"
#include "fft/pencils/pencil_lines.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "forces/pair/pair_compute.hpp"
#include "particles/cluster_order.hpp"

namespace fg::classical {

namespace {

using Visit = std::function<void(const StepMessage&)>;

double real_bytes(const System& system) {
  return system.job().settings.precision == Precision::double_precision ? sizeof(double)
                                                                        : sizeof(float);
}

/// Numbers in messages with all atoms of a patch.
double numbers_of(const WorkEstimate& work, std::size_t patch) {
  const auto atoms = static_cast<double>(work.patches[patch].counts[of_patch_atom]);
  return std::ceil(atoms / cluster_size) * cluster_numbers;
}

void visit_pairs(const System& system, const PatchGrid& grid, const WorkEstimate& work,
                 const Visit& visit) {
  const auto pairs = pair_division(system, grid);
  std::vector<int> computes;
  for (int p = 0; p < grid.size(); ++p) {
    const PatchIndex patch = grid.unflat(p);
    computes.clear();
    for (const auto& element : pairs->listeners(patch)) computes.push_back(pairs->number(element));
    const double numbers = numbers_of(work, static_cast<std::size_t>(p));
    visit({.phase = positions_out,
           .from = StepArray::patches,
           .to = StepArray::pairs,
           .one = p,
           .others = computes,
           .bytes = sizeof(PositionsMessage<float>) + numbers * real_bytes(system)});
    visit({.phase = pair_forces,
           .from = StepArray::pairs,
           .to = StepArray::patches,
           .one = p,
           .others = computes,
           .collected = true,
           .bytes = sizeof(SummedForcesMessage) + numbers * sizeof(std::int64_t)});
  }
}

/// The patch that computes a term of these two patches and others between them. It is the lower one
/// along each axis, across the edge of the box if that is nearer, as in
/// forces/bonded/term_assignment.hpp.
int lower_of(const PatchGrid& grid, int one, int other) {
  PatchIndex a = grid.unflat(one);
  const PatchIndex b = grid.unflat(other);
  for (int axis = 0; axis < 3; ++axis) {
    const int n = grid.shape()[axis];
    const int up = (a[axis] - b[axis] + n) % n;
    if (2 * up < n || (2 * up == n && b[axis] < a[axis])) a[axis] = b[axis];
  }
  return grid.flat(a);
}

/// Ascending by compute, patch and atom.
struct NeededAtom {
  int compute, patch, atom;

  auto operator<=>(const NeededAtom&) const = default;
};

std::vector<NeededAtom> atoms_needed(const System& system, const PatchGrid& grid,
                                     std::span<const int> patch_of) {
  std::vector<NeededAtom> needs;
  // Terms of an atom nearly always have one compute.
  std::vector<int> last_compute(patch_of.size(), -1);
  BondedTerms::for_each_kind([&]<class Term>() {
    for (int first = 0; first < system.atoms(); ++first)
      for (const auto term : system.terms().of<Term>().of_atom(first)) {
        const auto atoms =
            system.terms().of<Term>().atoms(system.job().terms.of<Term>(), term, first);
        int compute = patch_of[static_cast<std::size_t>(first)];
        for (const auto atom : atoms)
          compute = lower_of(grid, compute, patch_of[static_cast<std::size_t>(atom)]);
        for (const auto atom : atoms) {
          int& last = last_compute[static_cast<std::size_t>(atom)];
          if (last != compute)
            needs.push_back({compute, patch_of[static_cast<std::size_t>(atom)], atom});
          last = compute;
        }
      }
  });
  std::ranges::sort(needs);
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  return needs;
}

void visit_bonded(const StepAtoms& atoms, const Visit& visit) {
  for (const StepAtoms::Need& need : atoms.needs) {
    const auto trailing = BondedForcesMessage::trailing_bytes(static_cast<std::size_t>(need.atoms));
    visit({.phase = bonded_positions,
           .from = StepArray::patches,
           .to = StepArray::bonded,
           .one = need.patch,
           .others = std::span(&need.compute, 1),
           .bytes = static_cast<double>(
               sizeof(BondedPositionsMessage) +
               static_cast<std::size_t>(atoms.bonded[static_cast<std::size_t>(need.patch)]) *
                   sizeof(Vec3))});
    visit({.phase = bonded_forces,
           .from = StepArray::bonded,
           .to = StepArray::patches,
           .one = need.compute,
           .others = std::span(&need.patch, 1),
           .bytes = static_cast<double>(sizeof(BondedForcesMessage) + trailing)});
  }
}

/// The points of the mesh that the atoms of each patch touch, as spreaders do.
std::vector<fft::GridBox> touched_points(const PatchGrid& grid, std::span<const Vec3> positions,
                                         std::span<const int> patch_of,
                                         const MeshDivision& division) {
  const Box& box = grid.box();
  const Tilt slant = box.reciprocal_tilt();
  const auto& mesh = division.settings.mesh;
  std::vector<fft::GridBox> boxes(static_cast<std::size_t>(grid.size()));
  std::vector<bool> begun(boxes.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto patch = static_cast<std::size_t>(patch_of[i]);
    const Vec3 centre = along_axes(grid.centre(grid.unflat(patch_of[i])), slant);
    const Vec3 at = along_axes(positions[i], slant);
    for (int a = 0; a < 3; ++a) {
      const double away = (at[a] - centre[a]) / box.edge[a];
      const double point = mesh[a] * (centre[a] / box.edge[a] + away - std::round(away));
      const int low = static_cast<int>(std::floor(point)), high = low + division.settings.order;
      fft::GridBox& of = boxes[patch];
      of.low[a] = begun[patch] ? std::min(of.low[a], low) : low;
      of.high[a] = begun[patch] ? std::max(of.high[a], high) : high;
    }
    begun[patch] = true;
  }
  return boxes;
}

/// Charges and the potential. A process has one message for a pencil of another one, with the block
/// that covers those of its spreaders.
void visit_charges(const System& system, std::span<const fft::GridBox> touched,
                   const MeshDivision& division, const Visit& visit) {
  const fft::PencilGeometry& pencils = division.pencils;
  std::vector<std::vector<int>> spreaders(static_cast<std::size_t>(pencils.pencils()));
  const ChargeSums sums(division);
  for (std::size_t spreader = 0; spreader < sums.pencils.size(); ++spreader)
    for (const int pencil : sums.pencils[spreader])
      spreaders[static_cast<std::size_t>(pencil)].push_back(static_cast<int>(spreader));
  std::vector<fft::GridBox> blocks;
  for (int pencil = 0; pencil < pencils.pencils(); ++pencil) {
    const int rows = pencils.grid()[1];
    const fft::PencilIndex index{pencil / rows, pencil % rows};
    const auto points_of = [&, index](std::span<const int> these) {
      blocks.clear();
      for (const int spreader : these)
        blocks.push_back(touched[static_cast<std::size_t>(spreader)]);
      return static_cast<double>(fft::covering_block(pencils, index, blocks).volume());
    };
    const auto bytes_with = [&](double head) {
      return [=, real = real_bytes(system)](std::span<const int> these) {
        return head + real * points_of(these);
      };
    };
    visit({.phase = charges,
           .from = StepArray::spreaders,
           .to = StepArray::z_pencils,
           .one = pencil,
           .others = spreaders[static_cast<std::size_t>(pencil)],
           .collected = true,
           .fewest = ChargeSums::fewest,
           .bytes_of = bytes_with(sizeof(ChargeBlockMessage<float>))});
    visit({.phase = potentials,
           .from = StepArray::z_pencils,
           .to = StepArray::spreaders,
           .one = pencil,
           .others = spreaders[static_cast<std::size_t>(pencil)],
           .fewest = ChargeSums::fewest,
           .bytes_of = bytes_with(sizeof(PotentialBlockMessage<float>))});
  }
}

void visit_mesh(const System& system, const PatchGrid& grid, std::span<const fft::GridBox> touched,
                const WorkEstimate& work, const Visit& visit) {
  const MeshDivision division = mesh_division(system, grid);
  const fft::PencilGeometry& pencils = division.pencils;
  const double real = real_bytes(system);
  const auto [columns, rows] = pencils.grid();
  const auto send = [&](TrafficPhase phase, StepArray from, int one, StepArray to, int other,
                        double bytes, int transpose = -1) {
    visit({.phase = phase,
           .from = from,
           .to = to,
           .one = one,
           .others = std::span(&other, 1),
           .transpose = transpose,
           .bytes = bytes});
  };
  for (int p = 0; p < grid.size(); ++p) {
    const double numbers = numbers_of(work, static_cast<std::size_t>(p)) * real;
    send(positions_out, StepArray::patches, p, StepArray::spreaders, p,
         sizeof(PositionsMessage<float>) + numbers);
    send(mesh_forces, StepArray::spreaders, p, StepArray::patches, p,
         sizeof(ClusterForcesMessage<float>) + numbers);
  }
  visit_charges(system, touched, division, visit);
  const auto both_ways = [&](StepArray one_array, int one, StepArray other_array, int other,
                             int there, std::size_t numbers) {
    const double bytes = 2 * real * static_cast<double>(numbers);
    send(transposes, one_array, one, other_array, other, bytes, there);
    send(transposes, other_array, other, one_array, one, bytes, 3 - there);
  };
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      for (int k = 0; k < rows; ++k)
        both_ways(StepArray::z_pencils, i * rows + j, StepArray::y_pencils, i * rows + k, 0,
                  fft::zy_piece(pencils, i, j, k));
      for (int k = 0; k < columns; ++k)
        both_ways(StepArray::y_pencils, i * rows + j, StepArray::x_pencils, k * rows + j, 1,
                  fft::yx_piece(pencils, j, i, k));
    }
}

}  // namespace

std::string_view name_of(StepArray array) {
  return names_of_arrays()[static_cast<std::size_t>(array)];
}

StepAtoms::StepAtoms(const System& system, const PatchGrid& grid, std::vector<Vec3> positions)
    : bonded(static_cast<std::size_t>(grid.size())) {
  const std::vector<int> patch_of = patches_of_atoms(system, grid, positions);
  if (system.job().settings.electrostatics == Electrostatics::pme)
    touched = touched_points(grid, positions, patch_of, mesh_division(system, grid));
  positions = std::vector<Vec3>();
  for (std::size_t i = 0; i < patch_of.size(); ++i)
    if (system.terms().bonded(static_cast<int>(i))) ++bonded[static_cast<std::size_t>(patch_of[i])];
  for (const NeededAtom& one : atoms_needed(system, grid, patch_of)) {
    if (needs.empty() || needs.back().compute != one.compute || needs.back().patch != one.patch)
      needs.push_back({.compute = one.compute, .patch = one.patch, .atoms = 0});
    ++needs.back().atoms;
  }
}

void for_each_message(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                      const WorkEstimate& work, const Visit& visit) {
  visit_pairs(system, grid, work, visit);
  visit_bonded(atoms, visit);
  if (!work.z_pencils.empty()) visit_mesh(system, grid, atoms.touched, work, visit);
}

}  // namespace fg::classical
