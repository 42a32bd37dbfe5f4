// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/contacts.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/units.hpp"
#include "particles/close_pairs.hpp"

namespace fg {

namespace {

// At 0.7 sigma the Lennard-Jones energy is 250 well depths: never reached at any temperature, and
// no problem for a minimiser.
constexpr double share_of_sigma = 0.7;
// 1 angstrom; real hydrogens without a Lennard-Jones term stay 1.5 angstrom from a partner.
constexpr double least_distance = 0.1 / units::bohr_in_nm;
constexpr double stiffness = 0.1;  // [hartree/bohr^2], 1e5 kJ/mol/nm^2: that of a soft bond

double contact(double sigma, double epsilon, double charge_product) noexcept {
  if (epsilon > 0) return std::max(share_of_sigma * sigma, least_distance);
  return charge_product != 0 ? least_distance : 0.0;
}

/// For atoms at the same place: any direction, but always the same.
Vec3 direction_of(std::int32_t a, std::int32_t b) noexcept {
  const double turn = 2.399963 * a + 0.7 * b;  // the golden angle spreads neighbours evenly
  return Vec3{elementary::cos(turn), elementary::sin(turn), 0.5} * (1.0 / std::sqrt(1.25));
}

}  // namespace

Contacts::Contacts(const AtomParameters& parameters, const ExclusionTable& exclusions,
                   const std::vector<ExceptionPair>& exceptions, const Box& box,
                   const RepeatedCell& repeated)
    : parameters_(parameters), exclusions_(exclusions), exceptions_(exceptions), box_(box) {
  if (repeated.copies.several()) {
    cells_.reserve(exceptions.size());
    for (const ExceptionPair& e : exceptions)
      cells_.push_back(cells_of_term<2>(repeated.cell, repeated.positions, e.atoms)[1]);
  }
  longest_ = least_distance;
  for (std::size_t i = 0; i < parameters.sigma.size(); ++i)
    if (parameters.epsilon[i] > 0)
      longest_ = std::max(longest_, share_of_sigma * parameters.sigma[i]);
  for (std::size_t i = 0; i < parameters.types.sigma.size(); ++i)
    if (parameters.types.epsilon[i] > 0)
      longest_ = std::max(longest_, share_of_sigma * parameters.types.sigma[i]);
  for (const ExceptionPair& e : exceptions)
    longest_ = std::max(longest_, contact(e.sigma, e.epsilon, e.charge_product));
}

double Contacts::distance_of(std::int32_t a, std::int32_t b) const noexcept {
  if (exclusions_.holds(a, b)) return 0;
  const AtomParameters& p = parameters_;
  return contact(p.sigma_of(a, b), p.epsilon_of(a, b), p.charge_of(a) * p.charge_of(b));
}

template <class Visit>
void Contacts::for_each(std::span<const Vec3> positions, double limit, Visit&& visit) const {
  const CloseCells cells(box_, positions, limit * longest_);
  cells.for_each_pair(positions, [&](std::int32_t a, std::int32_t b, const Vec3& d) {
    const double reach = distance_of(a, b);
    if (dot(d, d) < limit * limit * reach * reach) visit(a, b, d, reach);
  });
  const Copies& copies = parameters_.copies;
  for (std::size_t i = 0; i < exceptions_.size(); ++i) {
    const ExceptionPair& e = exceptions_[i];
    const double reach = contact(e.sigma, e.epsilon, e.charge_product);
    for (int copy = 0; copy < copies.count(); ++copy) {
      auto [a, b] = e.atoms;
      if (copies.several()) {
        a += copy * static_cast<std::int32_t>(parameters_.charge.size());
        b = copies.atom(a, b, cells_[i]);
      }
      const Vec3 d = box_.nearest_image(positions[b] - positions[a]);
      if (dot(d, d) < limit * limit * reach * reach) visit(a, b, d, reach);
    }
  }
}

ClosestContact Contacts::closest(std::span<const Vec3> positions, double limit) const {
  ClosestContact found;
  for_each(positions, limit, [&](std::int32_t a, std::int32_t b, const Vec3& d, double reach) {
    const double distance = norm(d);
    if (distance / reach < found.ratio) found = {distance / reach, distance, a, b};
  });
  return found;
}

double Contacts::add_repulsion(std::span<const Vec3> positions, std::span<Vec3> forces) const {
  double energy = 0;
  for_each(positions, 1.0, [&](std::int32_t a, std::int32_t b, const Vec3& d, double reach) {
    const double distance = norm(d), missing = reach - distance;
    const Vec3 way = distance > 1e-6 ? d * (1.0 / distance) : direction_of(a, b);
    energy += 0.5 * stiffness * missing * missing;
    forces[b] += way * (stiffness * missing);
    forces[a] -= way * (stiffness * missing);
  });
  return energy;
}

}  // namespace fg
