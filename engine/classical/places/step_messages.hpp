// SPDX-License-Identifier: BSD-3-Clause
//
// The messages between the objects of a classical run in a usual step, before anything runs. It
// leaves out steps that rebuild lists, frames, and the sums of energies, which come at intervals of
// many steps. Who sends how much to whom depends on the job alone. What of it leaves a process
// depends on the places of the objects.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "classical/division/work_estimate.hpp"
#include "classical/job/system.hpp"
#include "fft/grid_box.hpp"

namespace fg::classical {

/// Positions of patches to pair computes and spreaders, and the sums of pair forces back. Positions
/// of atoms with bonded terms, and their forces back. Charges to z-pencils, and the potential back.
/// The transposes between pencils. Forces from spreaders.
inline constexpr std::array<std::string_view, 8> phases_of_traffic{
    "positions", "pair forces", "bonded positions", "bonded forces",
    "charges",   "potentials",  "transposes",       "mesh forces"};
enum TrafficPhase : std::uint8_t {
  positions_out,
  pair_forces,
  bonded_positions,
  bonded_forces,
  charges,
  potentials,
  transposes,
  mesh_forces
};

/// In the order of names_of_arrays().
enum class StepArray : std::uint8_t {
  patches,
  pairs,
  bonded,
  spreaders,
  z_pencils,
  y_pencils,
  x_pencils
};
inline constexpr std::size_t step_arrays = 7;
/// As runs and FirstPlaces call it.
std::string_view name_of(StepArray array);

/// Objects are named by their numbers in their arrays, in index order.
struct StepMessage {
  TrafficPhase phase{};
  StepArray from{}, to{};
  int one = 0;                    // the sender, or the receiver if it is `collected`
  std::span<const int> others{};  // the receivers, or the senders
  /// What several objects of a process have for `one` is added up there, if `one` is in another
  /// process. Otherwise: what `one` sends to several objects goes to each process once.
  bool collected = false;
  /// With fewer of the `others` in a process each has a message of its own.
  std::size_t fewest = 1;
  /// From a pencil to another and on: 0 for z to y, then y to x, x to y, y to z.
  int transpose = -1;
  double bytes = 0;  // of a message between processes
  /// The same where it depends on which of the `others` are in a process.
  std::function<double(std::span<const int>)> bytes_of{};
  double bytes_with(std::span<const int> these) const { return bytes_of ? bytes_of(these) : bytes; }

  /// Whether it is sent on steps with pair forces only.
  bool of_pairs() const noexcept { return phase == pair_forces || to == StepArray::pairs; }
  /// Whether it is sent in a round of the mesh only.
  bool of_mesh() const noexcept { return phase >= charges || to == StepArray::spreaders; }
};

/// What the messages of a step depend on, of where the atoms are. It is small beside the positions,
/// which nobody needs any more.
struct StepAtoms {
  /// Atoms of a patch that a bonded compute needs.
  struct Need {
    int compute, patch, atoms;
  };

  /// Frees the positions as soon as it can.
  StepAtoms(const System& system, const PatchGrid& grid, std::vector<Vec3> positions);

  std::vector<int> bonded;            // by patch: its atoms with bonded terms
  std::vector<Need> needs;            // ascending by (compute, patch), each once
  std::vector<fft::GridBox> touched;  // by patch: points of the mesh; none without a mesh
};

/// Calls `visit` for each message of a step with all forces, in an order that depends on the job
/// only.
void for_each_message(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                      const WorkEstimate& work,
                      const std::function<void(const StepMessage&)>& visit);

}  // namespace fg::classical
