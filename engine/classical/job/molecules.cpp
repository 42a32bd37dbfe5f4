// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job/molecules.hpp"

#include <algorithm>
#include <utility>

#include "forces/terms/gromos_bond.hpp"
#include "forces/terms/harmonic_bond.hpp"

namespace fg::classical {

namespace {

// Scales of centres [bohr] and velocities [bohr per au time], weighted by shares of the mass.
// Resolutions are 6e-11 and 1.4e-14, and the largest values 131,072 and 32.
constexpr FixedScale place_scale{17179869184.0};     // 2^34
constexpr FixedScale speed_scale{70368744177664.0};  // 2^46

/// Bonds between fragments of one copy, listed under both of them.
struct Neighbours {
  struct Bond {
    std::int32_t from, to;  // atoms
  };
  std::vector<std::vector<Bond>> of;  // [fragments of a copy]

  Neighbours(const Job& job, const FragmentTable& fragments)
      : of(static_cast<std::size_t>(fragments.size_of_copy())) {
    const auto join = [&](const auto& terms) {
      for (const auto& term : terms) {
        const auto [a, b] = term.atoms;
        if (fragments.of_atom(a) == fragments.of_atom(b)) continue;
        of[fragments.of_atom(a)].push_back({a, b});
        of[fragments.of_atom(b)].push_back({b, a});
      }
    };
    BondedTerms::for_each_kind([&]<class Term>() {
      if constexpr (Term::energy == "bond") join(job.terms.of<Term>());
    });
  }
};

bool put(const FixedScale& scale, const Vec3& value, std::array<std::int64_t, 3>& sum) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    if (!scale.fits(value[axis])) return false;
    sum[static_cast<std::size_t>(axis)] += scale.to_fixed(value[axis]);
  }
  return true;
}

double mass_of(const Job& job, const FragmentTable& fragments, int fragment) noexcept {
  double mass = 0;
  for (const std::int32_t atom : fragments.atoms(fragment)) mass += job.atoms.mass[atom];
  return mass;
}

}  // namespace

MoleculeTable::MoleculeTable(const Job& job, const FragmentTable& fragments)
    : of_fragment_(static_cast<std::size_t>(fragments.size_of_copy()), -1),
      copies_(fragments.copies()),
      centres_(fragments.size_of_copy()) {
  const Neighbours bonds(job, fragments);
  const auto& position = job.atoms.position;
  const Box& cell = job.one_cell();
  std::vector<Int3> shift(of_fragment_.size());
  bool one_cell = true;
  std::vector<std::uint8_t> reached(of_fragment_.size(), 0);
  std::vector<std::int32_t> members;
  for (int root = 0; root < fragments.size_of_copy(); ++root) {
    if (reached[root] != 0 || bonds.of[root].empty()) continue;
    members.assign(1, root);
    reached[root] = 1;
    const std::size_t first_bond = tree_.size();
    bool endless = false;
    for (std::size_t next = 0; next < members.size(); ++next) {
      const std::int32_t here = members[next];
      for (const auto& [from, to] : bonds.of[here]) {
        const int there = fragments.of_atom(to);
        const Int3 at =
            cells_between(cell, position[from] + cell.position(shift[here]), position[to]);
        if (reached[there] == 0) {
          reached[there] = 1;
          shift[there] = at;
          members.push_back(there);
          tree_.push_back({from, to});
        } else if (at != shift[there]) {
          endless = true;
        }
      }
    }
    if (endless) {
      tree_.resize(first_bond);
      continue;
    }
    double mass = 0;
    for (const std::int32_t fragment : members) {
      of_fragment_[fragment] = static_cast<std::int32_t>(mass_.size());
      one_cell &= shift[fragment] == Int3{};
      mass += mass_of(job, fragments, fragment);
    }
    mass_.push_back(mass);
    centres_ -= static_cast<int>(members.size()) - 1;
  }
  centres_ *= copies_.count();
  if (copies_.several() && !one_cell) cells_ = std::move(shift);
}

int MoleculeTable::of_copied_fragment(int fragment) const noexcept {
  const auto fragments = static_cast<int>(of_fragment_.size());
  const auto within = static_cast<std::size_t>(fragment % fragments);
  if (of_fragment_[within] < 0) return -1;
  int copy = fragment / fragments;
  if (!cells_.empty()) copy = copies_.neighbour(copy, -cells_[within]);
  return copy * static_cast<int>(mass_.size()) + of_fragment_[within];
}

std::vector<Int3> MoleculeTable::whole(const FragmentTable& fragments, const Box& box,
                                       std::span<const Vec3> position,
                                       std::span<const Int3> image) const {
  std::vector<Int3> shift(static_cast<std::size_t>(fragments.size()));
  const int atoms = static_cast<int>(position.size()) / copies_.count();
  // The atom that a molecule whose root is in this copy has in the place of one of the first copy.
  const auto there = [&](int copy, std::int32_t atom) {
    if (!cells_.empty())
      copy = copies_.neighbour(copy, cells_[static_cast<std::size_t>(fragments.of_atom(atom))]);
    return copy * atoms + atom;
  };
  for (int copy = 0; copy < copies_.count(); ++copy)
    for (const auto& bond : tree_) {
      const std::int32_t from = there(copy, bond.from), to = there(copy, bond.to);
      const Int3 before = image[from] + shift[fragments.of_atom(from)];
      shift[fragments.of_atom(to)] = cells_between(box, position[from] + box.position(before),
                                                   position[to] + box.position(image[to]));
    }
  return shift;
}

bool MoleculeShare::add_place(double share, const Vec3& position, const Vec3& force) noexcept {
  return put(place_scale, position * share, this->position) && put(force_scale, force, this->force);
}

bool MoleculeShare::add_velocity(double share, const Vec3& velocity) noexcept {
  return put(speed_scale, velocity * share, this->velocity);
}

void MoleculeShare::add(const MoleculeShare& other) noexcept {
  for (std::size_t a = 0; a < 3; ++a) {
    position[a] += other.position[a];
    velocity[a] += other.velocity[a];
    force[a] += other.force[a];
  }
}

MoleculeCentre MoleculeShare::centre() const noexcept {
  MoleculeCentre centre;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    centre.position[axis] = place_scale.to_double(position[a]);
    centre.velocity[axis] = speed_scale.to_double(velocity[a]);
    centre.force[axis] = force_scale.to_double(force[a]);
  }
  return centre;
}

void add_centres(const MoleculeTable& molecules, std::span<const MoleculeCentre> centres,
                 Virial& motion, Virial& virial) noexcept {
  for (std::size_t m = 0; m < centres.size(); ++m) {
    const MoleculeCentre& centre = centres[m];
    add_virial(motion, centre.velocity * molecules.mass(static_cast<int>(m)), centre.velocity);
    add_virial(virial, centre.position, centre.force);
  }
}

}  // namespace fg::classical
