// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/bonded_workset.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "forces/bonded/exception_pair.hpp"
#include "forces/bonded/excluded_pair.hpp"
#include "forces/bonded/harmonic_angle.hpp"
#include "forces/bonded/harmonic_bond.hpp"
#include "forces/bonded/periodic_torsion.hpp"
#include "forces/bonded/term_assignment.hpp"

namespace fg {

BondedWorkset::BondedWorkset(const Topology& topology, const TermIndex& index, const Box& box,
                             const std::array<int, 3>& own, const std::array<int, 3>& grid)
    : topology_(&topology), index_(&index), box_(box), own_(own), grid_(grid) {}

/// Finds the place of an atom in the block, and decides whether this patch owns a term.
class BondedWorkset::Selection {
 public:
  Selection(BondedWorkset& work, std::span<const BlockPart> parts) : work_(work), parts_(parts) {
    std::int32_t place = 0;
    work.found_.clear();
    for (std::size_t part = 0; part < parts.size(); ++part)
      for (const std::int32_t id : parts[part].ids) {
        if (id >= 0 && work.index_->bonded(id))
          work.found_.push_back({id, place, static_cast<std::int32_t>(part)});
        ++place;
      }
    std::sort(work.found_.begin(), work.found_.end(),
              [](const Found& a, const Found& b) { return a.id < b.id; });
  }

  /// Appends make(term, places) for each of our terms in `list`, in ascending order of the term.
  template <class Term, class Work, class Make>
  void select(const TermList& list, const std::vector<Term>& terms, std::vector<Work>& work,
              const Make& make) {
    work.clear();
    work_.chosen_.clear();
    for (const Found& first : work_.found_)
      for (const std::int32_t term : list.of_atom(first.id))
        if (ours(terms[term].atoms, first)) work_.chosen_.push_back(term);
    std::sort(work_.chosen_.begin(), work_.chosen_.end());
    for (const std::int32_t term : work_.chosen_) {
      Work entry{};
      const Found* atom = find(terms[term].atoms[0]);
      for (std::size_t k = 0; k < entry.atom.size(); ++k) {
        atom = find_from(atom, terms[term].atoms[k]);
        entry.atom[k] = atom->place;
        work_.active_[atom->part] = true;
      }
      make(terms[term], entry);
      work.push_back(entry);
    }
  }

 private:
  const Found* find(std::int32_t id) const noexcept {
    const auto it = std::lower_bound(work_.found_.begin(), work_.found_.end(), id,
                                     [](const Found& a, std::int32_t b) { return a.id < b; });
    return it != work_.found_.end() && it->id == id ? &*it : nullptr;
  }

  /// The same, searching from another atom of the term: their ids are close together.
  const Found* find_from(const Found* at, std::int32_t id) const noexcept {
    const Found* const begin = work_.found_.data();
    const Found* const end = begin + work_.found_.size();
    while (at->id < id && at + 1 != end) ++at;
    while (at->id > id && at != begin) --at;
    return at->id == id ? at : nullptr;
  }

  template <std::size_t n>
  bool ours(const std::array<std::int32_t, n>& atoms, const Found& first) const {
    std::array<std::array<int, 3>, n> patches;
    for (std::size_t k = 0; k < n; ++k) {
      const Found* atom = find_from(&first, atoms[k]);
      if (atom == nullptr) return false;  // owned by a neighbour, or by no patch: see size()
      patches[k] = parts_[atom->part].patch;
    }
    return term_owner(patches, work_.grid_) == work_.own_;
  }

  BondedWorkset& work_;
  std::span<const BlockPart> parts_;
};

void BondedWorkset::rebuild(std::span<const BlockPart> parts) {
  FG_CHECK(parts.size() <= active_.size());
  active_.fill(false);
  Selection selection(*this, parts);
  selection.select(index_->bonds(), topology_->bonds, bonds_, [](const Bond& t, BondWork& w) {
    w.length = t.length;
    w.stiffness = t.stiffness;
  });
  selection.select(index_->angles(), topology_->angles, angles_, [](const Angle& t, AngleWork& w) {
    w.angle = t.angle;
    w.stiffness = t.stiffness;
  });
  selection.select(index_->torsions(), topology_->torsions, torsions_,
                   [](const Torsion& t, TorsionWork& w) {
                     w.periodicity = t.periodicity;
                     w.cos_phase = std::cos(t.phase);
                     w.sin_phase = std::sin(t.phase);
                     w.stiffness = t.stiffness;
                   });
  selection.select(index_->exceptions(), topology_->exceptions, exceptions_,
                   [](const Exception& t, ExceptionWork& w) {
                     w.charge_product = t.charge_product;
                     w.sigma = t.sigma;
                     w.epsilon = t.epsilon;
                   });
  selection.select(index_->far_exclusions(), topology_->far_exclusions, far_exclusions_,
                   [](const FarExclusion& t, FarExclusionWork& w) {
                     w.charge_product = t.charge_product;
                     w.ewald_coefficient = t.ewald_coefficient;
                   });
}

namespace {

/// Differences of positions, as the nearest image.
class Difference {
 public:
  explicit Difference(const Box& box) noexcept
      : edge_(box.edge), inverse_{1.0 / box.edge.x, 1.0 / box.edge.y, 1.0 / box.edge.z} {
    if (!box.periodic) inverse_ = {};  // without images the difference is kept
  }
  Vec3 operator()(const Vec3& a, const Vec3& b) const noexcept {
    const Vec3 d = a - b;
    return {d.x - edge_.x * rounded(d.x * inverse_.x), d.y - edge_.y * rounded(d.y * inverse_.y),
            d.z - edge_.z * rounded(d.z * inverse_.z)};
  }

 private:
  /// Rounds to the nearest whole number, for |x| < 2^51, without a function call.
  static double rounded(double x) noexcept {
    constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
    return (x + magic) - magic;
  }

  Vec3 edge_, inverse_;
};

}  // namespace

template <bool with_sums>
BondedSums BondedWorkset::evaluate(std::span<const Vec3> x, std::span<Vec3> f) const noexcept {
  BondedSums sums;
  const Difference difference(box_);

  for (const BondWork& t : bonds_) {
    const auto [i, j] = t.atom;
    const Vec3 d = difference(x[i], x[j]);
    const BondResult r = harmonic_bond(d, t.length, t.stiffness);
    f[i] += r.force;
    f[j] -= r.force;
    if constexpr (with_sums) {
      sums.bond += r.energy;
      add_virial(sums.virial, d, r.force);
    }
  }
  for (const AngleWork& t : angles_) {
    const auto [i, j, k] = t.atom;
    const Vec3 a = difference(x[i], x[j]), b = difference(x[k], x[j]);
    const AngleResult r = harmonic_angle(a, b, t.angle, t.stiffness);
    f[i] += r.first;
    f[j] -= r.first + r.last;
    f[k] += r.last;
    if constexpr (with_sums) {
      sums.angle += r.energy;
      add_virial(sums.virial, a, r.first);
      add_virial(sums.virial, b, r.last);
    }
  }
  for (const TorsionWork& t : torsions_) {
    const auto [i, j, k, l] = t.atom;
    const Vec3 ij = difference(x[i], x[j]), jk = difference(x[j], x[k]);
    const Vec3 lk = difference(x[l], x[k]);
    const TorsionResult r =
        periodic_torsion(ij, jk, lk, t.periodicity, t.cos_phase, t.sin_phase, t.stiffness);
    f[i] += r.force[0];
    f[j] += r.force[1];
    f[k] += r.force[2];
    f[l] += r.force[3];
    if constexpr (with_sums) {
      sums.torsion += r.energy;
      add_virial(sums.virial, ij + jk, r.force[0]);  // all relative to the third atom
      add_virial(sums.virial, jk, r.force[1]);
      add_virial(sums.virial, lk, r.force[3]);
    }
  }
  for (const ExceptionWork& t : exceptions_) {
    const auto [i, j] = t.atom;
    const Vec3 d = difference(x[i], x[j]);
    const ExceptionResult r = exception_pair(d, t.charge_product, t.sigma, t.epsilon);
    f[i] += r.force;
    f[j] -= r.force;
    if constexpr (with_sums) {
      sums.exception_lennard_jones += r.lennard_jones;
      sums.exception_coulomb += r.coulomb;
      add_virial(sums.virial, d, r.force);
    }
  }
  for (const FarExclusionWork& t : far_exclusions_) {
    const auto [i, j] = t.atom;
    const Vec3 d = difference(x[i], x[j]);
    const ExcludedResult r = excluded_pair(d, t.charge_product, t.ewald_coefficient);
    f[i] += r.force;
    f[j] -= r.force;
    if constexpr (with_sums) {
      sums.excluded_coulomb += r.energy;
      add_virial(sums.virial, d, r.force);
    }
  }
  return sums;
}

void BondedWorkset::add_forces(std::span<const Vec3> positions,
                               std::span<Vec3> forces) const noexcept {
  evaluate<false>(positions, forces);
}

BondedSums BondedWorkset::add_forces_and_sums(std::span<const Vec3> positions,
                                              std::span<Vec3> forces) const noexcept {
  return evaluate<true>(positions, forces);
}

}  // namespace fg
