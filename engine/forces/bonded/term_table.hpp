// SPDX-License-Identifier: BSD-3-Clause
//
// The terms of one kind that a patch computes: with the places of their atoms, and what kernels
// need of them. Kinds that have kernels of several terms at once (term_lanes.hpp) are kept in
// slices, the others one by one.
// Units: bohr, hartree.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/elementary.hpp"
#include "base/round_up.hpp"
#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "forces/bonded/term_lanes.hpp"
#include "forces/terms/nearest_difference.hpp"
#include "forces/terms/term.hpp"

namespace fg {

/// What terms of a kind add up besides forces.
struct TermSums {
  double energy = 0;
  Virial virial{};
};

/// The atoms of one term: what its kernel is called with.
template <bool with_sums, std::size_t n>
class AtomsOfTerm {
 public:
  AtomsOfTerm(const NearestDifference& difference, const std::array<std::int32_t, n>& place,
              std::span<const Vec3> positions, std::span<Vec3> forces, TermSums& sums) noexcept
      : difference_(difference),
        place_(place),
        positions_(positions),
        forces_(forces),
        sums_(sums) {}

  Vec3 between(int a, int b) const noexcept {
    return difference_(positions_[place_[a]], positions_[place_[b]]);
  }
  void add_force(int atom, const Vec3& force) noexcept { forces_[place_[atom]] += force; }
  void add_energy(double energy) noexcept {
    if constexpr (with_sums) sums_.energy += energy;
  }
  void add_virial(const Vec3& r, const Vec3& force) noexcept {
    if constexpr (with_sums) fg::add_virial(sums_.virial, r, force);
  }

 private:
  const NearestDifference& difference_;
  const std::array<std::int32_t, n>& place_;
  std::span<const Vec3> positions_;
  std::span<Vec3> forces_;
  TermSums& sums_;
};

template <class Term>
class TermsOneByOne {
 public:
  using Places = std::array<std::int32_t, atoms_in<Term>>;

  void clear() noexcept { terms_.clear(); }
  void add(const Term& term, const Places& places, const typename Term::Shared::Tables& tables) {
    terms_.push_back({places, {term, tables}});
  }
  std::size_t size() const noexcept { return terms_.size(); }
  void for_each_place(auto&& visit) {
    for (Placed& term : terms_)
      for (std::int32_t& place : term.places) visit(place);
  }

  template <bool with_sums>
  void evaluate(const NearestDifference& difference, std::span<const Vec3> positions,
                std::span<Vec3> forces, TermSums& sums) const noexcept {
    for (const Placed& term : terms_) {
      AtomsOfTerm<with_sums, atoms_in<Term>> atoms(difference, term.places, positions, forces,
                                                   sums);
      term.kernel(atoms);
    }
  }

 private:
  struct Placed {
    Places places;
    typename Term::Kernel kernel;
  };
  std::vector<Placed> terms_;
};

template <TermOfLanes Term>
class TermsInLanes {
 public:
  using Places = std::array<std::int32_t, atoms_in<Term>>;

  void clear() noexcept {
    places_.clear();
    parameters_.clear();
  }
  void add(const Term& term, const Places& places, const typename Term::Shared::Tables& /*none*/) {
    const auto numbers = term.lane_parameters();
    const std::size_t at = places_.size() % most;
    // The rest of a vector repeats a term, whose results are not used.
    if (at == 0) parameters_.resize(parameters_.size() + numbers.size() * most);
    if (at % TermSlice::multiple == 0) fill(numbers, at, at + TermSlice::multiple);
    fill(numbers, at, at + 1);
    places_.push_back(places);
  }
  std::size_t size() const noexcept { return places_.size(); }
  void for_each_place(auto&& visit) {
    for (Places& places : places_)
      for (std::int32_t& place : places) visit(place);
  }

  template <bool with_sums>
  void evaluate(const NearestDifference& difference, std::span<const Vec3> positions,
                std::span<Vec3> forces, TermSums& sums) const noexcept {
    alignas(64) std::array<double, rows * most> from, to;
    alignas(64) std::array<double, most> energies;
    alignas(64) std::array<double, 6 * most> virials;
    for (std::size_t first = 0; first < places_.size(); first += most) {
      const auto places = std::span(places_).subspan(first, std::min(most, places_.size() - first));
      const auto whole = round_up(places.size(), std::size_t{TermSlice::multiple});
      const double* const parameters = parameters_.data() + first * lane_parameters_of<Term>;
      for (std::size_t i = 0; i < whole; ++i) {
        // The kernel is to find them in the cache.
        if (i % TermSlice::multiple == 0)
          for (std::size_t k = 0; k < lane_parameters_of<Term>; ++k)
            hwy::Prefetch(parameters + k * most + i);
        const Places& place = places[std::min(i, places.size() - 1)];
        for (std::size_t k = 0; k < place.size(); ++k) {
          const Vec3& at = positions[static_cast<std::size_t>(place[k])];
          from[(3 * k) * most + i] = at.x;
          from[(3 * k + 1) * most + i] = at.y;
          from[(3 * k + 2) * most + i] = at.z;
        }
      }
      (with_sums ? functions_.forces_and_sums : functions_.forces)(
          {.terms = static_cast<int>(whole),
           .positions = from.data(),
           .parameters = parameters,
           .forces = to.data(),
           .energies = energies.data(),
           .virials = virials.data()},
          difference);
      // In the order of terms, whatever the width of vectors.
      for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t k = 0; k < places[i].size(); ++k)
          forces[static_cast<std::size_t>(places[i][k])] +=
              {to[(3 * k) * most + i], to[(3 * k + 1) * most + i], to[(3 * k + 2) * most + i]};
        if constexpr (with_sums) {
          sums.energy += energies[i];
          for (std::size_t c = 0; c < 6; ++c) sums.virial[c] += virials[c * most + i];
        }
      }
    }
  }

 private:
  static constexpr std::size_t most = TermSlice::most, rows = 3 * atoms_in<Term>;

  void fill(const auto& numbers, std::size_t from, std::size_t to) noexcept {
    double* const slice = parameters_.data() + parameters_.size() - numbers.size() * most;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      std::fill(slice + k * most + from, slice + k * most + to, numbers[k]);
  }

  LaneFunctions functions_ = lane_functions<Term>(elementary::bits_in_use());
  std::vector<Places> places_;
  AlignedVector<double> parameters_;  // [slices][parameters][most]
};

template <class Term>
struct TermTableOf {
  using Type = TermsOneByOne<Term>;
};
template <TermOfLanes Term>
struct TermTableOf<Term> {
  using Type = TermsInLanes<Term>;
};

}  // namespace fg
