// SPDX-License-Identifier: BSD-3-Clause
//
// Pressure and scaling by centres of molecules. Constraints and bonds act inside of molecules. So
// with the centres as coordinates, neither the pressure nor a scaling needs the forces of
// constraints, and no bond is stretched.
#include "classical/patch_atoms.hpp"

namespace fg::classical {

/// Calls `visit(first, end, mass, centre)` for each fragment's range of atoms.
template <class Visit>
void PatchAtoms::for_each_fragment(Visit&& visit) const {
  const auto& fragments = system_.fragments();
  for (int first = 0; first < size();) {
    const auto end = first + static_cast<int>(fragments.atoms(fragments.of_atom(id(first))).size());
    double mass = 0;
    Vec3 moment;
    const Vec3 origin = position(first);  // differences inside a fragment are small numbers
    for (int i = first; i < end; ++i) {
      mass += system_.mass(id(i));
      moment += (position(i) - origin) * system_.mass(id(i));
    }
    visit(first, end, mass, origin + moment * (1 / mass));
    first = end;
  }
}

Vec3 PatchAtoms::velocity_of_centre(int first, int end, double mass) const noexcept {
  Vec3 momentum;
  for (int i = first; i < end; ++i) momentum += velocity(i) * system_.mass(id(i));
  return momentum * (1 / mass);
}

/// What is to be added to the position of the fragment's atoms in its whole molecule.
Vec3 PatchAtoms::offset_in_molecule(int atom, const WholeMolecules& molecules) const noexcept {
  const auto fragment = static_cast<std::size_t>(system_.fragments().of_atom(id(atom)));
  return molecules.box.position(image(atom) + molecules.images[fragment]);
}

int PatchAtoms::sum_forces(const WholeMolecules& molecules, CentreSums& sums) const {
  sums.inner_virial = {};
  sums.shares.clear();
  int failed = -1;
  for_each_fragment([&](int first, int end, double mass, const Vec3& centre) {
    const int molecule = molecule_of(first);
    if (molecule < 0) {
      for (int i = first; i < end; ++i)
        add_virial(sums.inner_virial, centre - position(i), force(i));
      return;
    }
    const Vec3 offset = offset_in_molecule(first, molecules);
    Vec3 pull;
    for (int i = first; i < end; ++i) {
      pull += force(i);
      add_virial(sums.inner_virial, -(position(i) + offset), force(i));
    }
    sums.shares.push_back({.molecule = molecule});
    const double share = mass / system_.molecules().mass(molecule);
    const bool fits = sums.shares.back().add_place(share, centre + offset, pull);
    if (!fits && failed < 0) failed = first;
  });
  return failed;
}

int PatchAtoms::sum_motion(CentreSums& sums) const {
  sums.motion = {};
  int failed = -1;
  std::size_t share = 0;
  for_each_fragment([&](int first, int end, double mass, const Vec3&) {
    const Vec3 v = velocity_of_centre(first, end, mass);
    const int molecule = molecule_of(first);
    if (molecule < 0) {
      add_virial(sums.motion, v * mass, v);
      return;
    }
    const bool fits =
        sums.shares[share++].add_velocity(mass / system_.molecules().mass(molecule), v);
    if (!fits && failed < 0) failed = first;
  });
  return failed;
}

void PatchAtoms::scale(const Scaling& scaling, const WholeMolecules& molecules,
                       std::span<Vec3> also) noexcept {
  const auto times = [](const Vec3& a, const Vec3& b) {
    return Vec3{a.x * b.x, a.y * b.y, a.z * b.z};
  };
  const Vec3& f = scaling.length;
  const Vec3 stretch = f - Vec3{1, 1, 1};
  const Vec3 slowing{1 / f.x - 1, 1 / f.y - 1, 1 / f.z - 1};
  for_each_fragment([&](int first, int end, double mass, const Vec3& centre) {
    Vec3 place = centre, speed;
    if (f == Vec3{1, 1, 1}) {
      // Only velocities are scaled, and there are no centres.
    } else if (const int molecule = molecule_of(first); molecule < 0) {
      speed = velocity_of_centre(first, end, mass);
    } else {
      const MoleculeCentre& whole = molecules.centres[static_cast<std::size_t>(molecule)];
      place = whole.position - offset_in_molecule(first, molecules);
      speed = whole.velocity;
    }
    const Vec3 shift = times(stretch, place);
    const Vec3 change = times(slowing, speed) * scaling.velocity;
    for (int i = first; i < end; ++i) {
      moving_.set_position(slot(i), position(i) + shift);
      also[static_cast<std::size_t>(i)] += shift;
      if (system_.mass(id(i)) > 0)
        moving_.set_velocity(slot(i), velocity(i) * scaling.velocity + change);
    }
  });
}

}  // namespace fg::classical
