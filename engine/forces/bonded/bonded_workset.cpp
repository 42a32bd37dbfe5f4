// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/bonded_workset.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fg {

BondedWorkset::BondedWorkset(const BondedTerms& terms, const TermIndex& index,
                             const std::array<int, 3>& own, const std::array<int, 3>& grid,
                             const std::array<int, 3>& reach)
    : terms_(&terms), index_(&index), owner_(own, grid, reach) {}

/// Finds the atoms of the block that terms contain, and the terms that this patch computes.
class BondedWorkset::Selection {
 public:
  Selection(BondedWorkset& work, std::span<const BlockPart> parts) : work_(work) {
    std::int32_t place = 0;
    work.found_.clear();
    for (const BlockPart& part : parts) {
      const BlockSides sides = work.owner_.sides(part.patch);
      for (const std::int32_t id : part.ids) {
        if (id >= 0 && work.index_->bonded(id)) work.found_.push_back({id, place, sides});
        ++place;
      }
    }
    std::sort(work.found_.begin(), work.found_.end(),
              [](const Found& a, const Found& b) { return a.id < b.id; });
  }

  /// Puts our terms of one kind into `work`, in ascending order.
  template <class Term>
  void select(const TermTable<Term>& terms, WorkTable<Term>& work) {
    work.clear();
    work_.chosen_.clear();
    const auto& list = work_.index_->of<Term>();
    for (const Found& first : work_.found_)
      for (const std::int32_t term : list.of_atom(first.id))
        if (ours(list.atoms(terms, term, first.id), first))
          work_.chosen_.push_back({work_.index_->copies().of_atom(first.id), term, &first});
    std::sort(work_.chosen_.begin(), work_.chosen_.end(), [](const Chosen& a, const Chosen& b) {
      return a.copy != b.copy ? a.copy < b.copy : a.term < b.term;
    });
    for (const Chosen& chosen : work_.chosen_) {
      const Term& term = terms[chosen.term];
      const auto ids = list.atoms(terms, chosen.term, chosen.first->id);
      std::array<std::int32_t, atoms_in<Term>> places;
      const Found* atom = chosen.first;
      for (std::size_t k = 0; k < places.size(); ++k) {
        atom = find_from(atom, ids[k]);
        places[k] = atom->place;
      }
      work.add(term, places, work_.index_->template tables<Term>());
    }
  }

 private:
  /// An atom of the block, searched from another one of the same term: their ids are close
  /// together.
  const Found* find_from(const Found* at, std::int32_t id) const noexcept {
    const Found* const begin = work_.found_.data();
    const Found* const end = begin + work_.found_.size();
    while (at->id < id && at + 1 != end) ++at;
    while (at->id > id && at != begin) --at;
    return at->id == id ? at : nullptr;
  }

  template <std::size_t n>
  bool ours(const std::array<std::int32_t, n>& atoms, const Found& first) const noexcept {
    BlockSides all = first.sides;
    const Found* atom = &first;
    for (std::size_t k = 1; k < n; ++k) {
      atom = find_from(atom, atoms[k]);
      if (atom == nullptr) return false;  // owned by a neighbour, or by no patch: see size()
      all = all | atom->sides;
    }
    return work_.owner_.owns(all);
  }

  BondedWorkset& work_;
};

void BondedWorkset::rebuild(std::span<const BlockPart> parts, const Box& box) {
  box_ = box;
  atoms_ = 0;
  for (const BlockPart& part : parts) atoms_ += part.ids.size();
  Selection selection(*this, parts);
  BondedTerms::for_each_kind(
      [&]<class Term>() { selection.select(terms_->of<Term>(), work_.of<Term>()); });
}

std::span<const std::int32_t> BondedWorkset::leave_out_others() {
  constexpr std::int32_t nobody = -1;
  number_.assign(atoms_, nobody);
  const auto for_each_place = [&](auto&& visit) {
    BondedTerms::for_each_kind([&]<class Term>() { work_.of<Term>().for_each_place(visit); });
  };
  for_each_place([&](std::int32_t place) { number_[place] = 0; });
  kept_.clear();
  for (std::int32_t& number : number_) {
    if (number == nobody) continue;
    number = static_cast<std::int32_t>(kept_.size());
    kept_.push_back(static_cast<std::int32_t>(&number - number_.data()));
  }
  for_each_place([&](std::int32_t& place) { place = number_[place]; });
  return kept_;
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
