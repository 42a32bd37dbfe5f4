// SPDX-License-Identifier: BSD-3-Clause
//
// The bonded terms of one patch as a chare, always in double precision. Most patches of a solvated
// molecule hold only rigid water. Their computes report this at each rebuild and get no messages
// until the next one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "forces/bonded/bonded_workset.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "forces/deposits.hpp"
#include "forces/ports.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class BondedCompute final : public Chare<BondedCompute<Real>, 3> {
 public:
  static constexpr std::string_view array_name = "bonded";
  struct Setup {
    PatchGrid grid;
    std::array<int, 3> reach{1, 1, 1};  // of terms, in patches
    const BondedTerms* terms = nullptr;
    const TermIndex* index = nullptr;
    Array<PatchPort<Real>> patches;
    Deposits deposits;
  };

  BondedCompute(std::shared_ptr<const Setup> setup, PatchIndex index);

  /// Takes the positions of one patch of the block; the last one to arrive starts the work.
  void positions(Ref<const BondedPositionsMessage> message);

  /// The computes to which a patch sends positions, each once.
  static std::vector<PatchIndex> listeners(const PatchGrid& grid, const std::array<int, 3>& reach,
                                           const PatchIndex& patch);

  /// It archives nothing: it moves only just before a rebuild, which makes all its data again.
  void archive(Archive&) override {}

 private:
  void take(std::size_t part, const BondedPositionsMessage& message) noexcept;
  void rebuild(std::int64_t step);
  void find_atoms(std::span<const std::int32_t> in_block);
  /// Whether any term contains an atom of this part.
  bool active(std::size_t part) const noexcept { return first_atom_[part] < first_atom_[part + 1]; }
  void work(std::int64_t step, StepKind kind);
  void answer(std::int64_t step, StepKind kind);

  std::shared_ptr<const Setup> setup_;
  PatchIndex index_;
  std::vector<PatchIndex> block_;
  BondedWorkset workset_;
  std::vector<Ref<const BondedPositionsMessage>> held_;  // on rebuild steps, by part
  std::vector<BlockPart> parts_;                         // while the terms are chosen
  // The atoms of the block that terms contain, part after part.
  std::vector<std::int32_t> first_atom_;  // [parts + 1]
  std::vector<std::int32_t> place_;       // in the messages of their patches
  std::vector<Vec3> positions_;
  std::vector<Vec3> forces_;
  int active_ = 0;                        // parts with atoms in our terms
  int arrived_ = 0, others_arrived_ = 0;  // messages of these, and of the others
  std::int64_t step_ = 0;
  StepKind kind_;
};

extern template class BondedCompute<float>;
extern template class BondedCompute<double>;

}  // namespace fg
