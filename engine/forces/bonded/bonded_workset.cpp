// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/bonded_workset.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "forces/bonded/term_assignment.hpp"

namespace fg {

BondedWorkset::BondedWorkset(const BondedTerms& terms, const TermIndex& index,
                             const std::array<int, 3>& own, const std::array<int, 3>& grid)
    : terms_(&terms), index_(&index), own_(own), grid_(grid) {}

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

  /// Puts our terms of one kind into `work`, in ascending order.
  template <class Term>
  void select(const TermTable<Term>& terms, WorkTable<Term>& work) {
    work.clear();
    work_.chosen_.clear();
    for (const Found& first : work_.found_)
      for (const std::int32_t term : work_.index_->of<Term>().of_atom(first.id))
        if (ours(terms[term].atoms, first)) work_.chosen_.push_back(term);
    std::sort(work_.chosen_.begin(), work_.chosen_.end());
    for (const std::int32_t term : work_.chosen_) {
      std::array<std::int32_t, atoms_in<Term>> places;
      const Found* atom = find(terms[term].atoms[0]);
      for (std::size_t k = 0; k < places.size(); ++k) {
        atom = find_from(atom, terms[term].atoms[k]);
        places[k] = atom->place;
        work_.active_[atom->part] = true;
      }
      work.add(terms[term], places, work_.index_->template tables<Term>());
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

void BondedWorkset::rebuild(std::span<const BlockPart> parts, const Box& box) {
  box_ = box;
  FG_CHECK(parts.size() <= active_.size());
  active_.fill(false);
  Selection selection(*this, parts);
  BondedTerms::for_each_kind(
      [&]<class Term>() { selection.select(terms_->of<Term>(), work_.of<Term>()); });
}

int BondedWorkset::size() const noexcept {
  std::size_t terms = 0;
  work_.for_each([&](const auto& work) { terms += work.size(); });
  return static_cast<int>(terms);
}

template <bool with_sums>
BondedSums BondedWorkset::evaluate(std::span<const Vec3> positions,
                                   std::span<Vec3> forces) const noexcept {
  BondedSums sums;
  const NearestDifference difference(box_);
  BondedTerms::for_each_kind([&]<class Term>() {
    TermSums of_kind{.energy = 0, .virial = sums.virial};
    work_.of<Term>().template evaluate<with_sums>(difference, positions, forces, of_kind);
    sums.energy[energy_term(Term::energy)] += of_kind.energy;
    sums.virial = of_kind.virial;
  });
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
