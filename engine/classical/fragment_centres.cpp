// SPDX-License-Identifier: BSD-3-Clause
//
// Pressure and scaling by fragments. Constraints act inside fragments, so that with the centres of
// fragments as coordinates neither the pressure nor a scaling needs the forces of constraints.
#include "classical/patch_atoms.hpp"

namespace fg::classical {

/// Calls `visit(first, end, mass, centre)` for each fragment's range of atoms.
template <class Visit>
void PatchAtoms::for_each_fragment(Visit&& visit) const {
  const auto& fragments = system_.fragments();
  const auto& masses = system_.job().atoms.mass;
  for (int first = 0; first < size();) {
    const auto end = first + static_cast<int>(fragments.atoms(fragments.of_atom(id(first))).size());
    double mass = 0;
    Vec3 moment;
    const Vec3 origin = position(first);  // differences inside a fragment are small numbers
    for (int i = first; i < end; ++i) {
      mass += masses[id(i)];
      moment += (position(i) - origin) * masses[id(i)];
    }
    visit(first, end, mass, origin + moment * (1 / mass));
    first = end;
  }
}

Vec3 PatchAtoms::velocity_of_centre(int first, int end, double mass) const noexcept {
  Vec3 momentum;
  for (int i = first; i < end; ++i) momentum += velocity(i) * system_.job().atoms.mass[id(i)];
  return momentum * (1 / mass);
}

FragmentSums PatchAtoms::fragment_sums() const noexcept {
  FragmentSums sums;
  for_each_fragment([&](int first, int end, double mass, const Vec3& centre) {
    const Vec3 v = velocity_of_centre(first, end, mass);
    add_virial(sums.motion, v * mass, v);
    for (int i = first; i < end; ++i) add_virial(sums.inner_virial, centre - position(i), force(i));
  });
  return sums;
}

void PatchAtoms::scale(const Scaling& scaling, std::span<Vec3> also) noexcept {
  const auto times = [](const Vec3& a, const Vec3& b) {
    return Vec3{a.x * b.x, a.y * b.y, a.z * b.z};
  };
  const Vec3& f = scaling.length;
  const Vec3 stretch = f - Vec3{1, 1, 1};
  const Vec3 slowing{1 / f.x - 1, 1 / f.y - 1, 1 / f.z - 1};
  for_each_fragment([&](int first, int end, double mass, const Vec3& centre) {
    const Vec3 shift = times(stretch, centre);
    const Vec3 change = times(slowing, velocity_of_centre(first, end, mass)) * scaling.velocity;
    for (int i = first; i < end; ++i) {
      moving_.set_position(slot(i), position(i) + shift);
      also[static_cast<std::size_t>(i)] += shift;
      if (system_.job().atoms.mass[id(i)] > 0)
        moving_.set_velocity(slot(i), velocity(i) * scaling.velocity + change);
    }
  });
}

}  // namespace fg::classical
