// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/order_walk.hpp"

#include <array>
#include <complex>
#include <span>
#include <type_traits>

#include "ab_initio/density/density.hpp"
#include "ab_initio/ions/spline_costs.hpp"
#include "ab_initio/orbitals/block_work.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "ab_initio/places/message_bytes.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "base/error.hpp"
#include "electrons/ions/ewald_ions.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/partition.hpp"
#include "fft/sphere/rank_sphere.hpp"

namespace fg::ab_initio {

namespace {

using Complex = std::complex<double>;
using Reading = MatrixSteps::Reading;
using Sum = OrderVisitor::Sum;

constexpr std::array<int, 1> leader{ObjectNumbers::leader};
/// An order without fields of its own is a number in the packet.
struct NumberOnly {};
/// A search remembers so many of its last steps, once there are as many.
constexpr double remembered = most_pairs;

std::vector<fft::SphereParcel> parcels_of(const fft::SpherePlan& plan, fft::SphereEnd end) {
  return fft::parcels_of(plan, fft::fields_of(plan.sphere().kind(), orbitals_of_transform), end,
                         sizeof(Complex));
}

}  // namespace

OrderWalk::OrderWalk(const Job& job, const Basis& basis, const MatrixTiles& tiles,
                     const ObjectNumbers& at, OrderVisitor& visitor, int rounds)
    : job_(job),
      basis_(basis),
      at_(at),
      visitor_(visitor),
      tables_(job),
      counts_(job, tables_),
      ion_costs_(job, tables_),
      matrices_(job, basis, tiles, at, visitor, rounds),
      orbital_costs_(*basis.orbital_plan()),
      density_costs_(*basis.density_plan()),
      orbital_parcels_(parcels_of(*basis.orbital_plan(), fft::SphereEnd::rows)),
      density_parcels_(parcels_of(*basis.density_plan(), Density::end_of_transforms(basis))) {
  projectors_ = electrons::ProjectorCoupling(tables_.projectors(), job.species_of).rows();
  if (projectors_ > 0 && job.nonlocal.method == IonMethod::splines)
    nonlocal_splines_.emplace(job, basis, tables_);
  if (job.local.method == IonMethod::splines) {
    ion_transforms_.emplace(job, basis, tables_);
    ion_parcels_ = parcels_of(*ion_transforms_->plan(), fft::SphereEnd::points);
  }
  if (!job.isolated) ewald_ = electrons::EwaldIons(job.cell, job.charges()).operations();
}

void OrderWalk::follow(CountedOrder order) {
  follow_order(order);
  visitor_.go_on(leader);
}

void OrderWalk::follow_order(CountedOrder order) {
  switch (order) {
    case CountedOrder::place:
      return place();
    case CountedOrder::evaluate:
      return evaluate();
    case CountedOrder::gradient:
      return gradient();
    case CountedOrder::direction:
      return direction();
    case CountedOrder::step:
      return step();
    case CountedOrder::accept:
      tell<AcceptOrder>(at_.orbitals);
      visitor_.go_on(at_.orbitals);
      vectors(2 * operations::sum +
              operations::product_of_vectors * (3 + 4 * remembered + remembered * remembered));
      return sum(at_.orbitals, SearchProducts::count);
    case CountedOrder::drift:
      return drift();
    case CountedOrder::free_drift:
      return free_drift();
    case CountedOrder::free_force:
      return free_force();
    case CountedOrder::kick:
      tell<KickOrder>(at_.orbitals);
      visitor_.go_on(at_.orbitals);
      vectors(operations::sum + operations::product_of_vectors);
      return answer();
    case CountedOrder::project:
      return project();
    case CountedOrder::forces:
      return forces();
    case CountedOrder::round:
      return matrices_.round();
  }
}

// ----- orders and answers -----

template <class Order>
void OrderWalk::tell(const Objects& objects, std::size_t trailing) {
  std::size_t bytes = 0;
  if constexpr (!std::is_same_v<Order, NumberOnly>) bytes = body_bytes<Order>(trailing);
  visitor_.along_tree(traffic::to_objects, ObjectNumbers::leader, objects, bytes);
}

template <class OfTiles, class OfOrbitals>
void OrderWalk::begin() {
  tell<OfTiles>(at_.tiles);
  tell<OfOrbitals>(at_.orbitals);
  visitor_.go_on(at_.orbitals);
}

void OrderWalk::sum(const Objects& objects, std::size_t numbers) {
  visitor_.reduce(traffic::to_leader, objects, numbers, leader, Sum::in_order);
}

void OrderWalk::answer() {
  sum(at_.orbitals, OrbitalSums::count);
  sum(at_.orbitals, 1);  // the largest residual
}

void OrderWalk::report_motion() {
  visitor_.send(traffic::to_leader, at_.tiles.front(), ObjectNumbers::leader,
                body_bytes<MotionReport>(0), 1);
}

// ----- orders with matrices -----

void OrderWalk::gradient() {
  begin<NumberOnly, NumberOnly>();
  matrices_.send_blocks(1, 1);
  matrices_.sum_overlaps(block_work::gradient);
  matrices_.exchange();
  matrices_.gather(1);
  matrices_.find_eigenvalues();
  matrices_.tell_tiles();
  matrices_.send_tiles(1);
  matrices_.send_products(1);
  vectors(operations::gradient + operations::product_of_vectors);
  answer();
}

void OrderWalk::direction() {
  begin<NumberOnly, DirectionOrder>();
  vectors(operations::gradient + 2 * remembered * operations::product_of_vectors);
  matrices_.send_blocks(2, 0);
  matrices_.sum_overlaps(block_work::direction);
  matrices_.send_tiles(1);
  matrices_.exchange();
  matrices_.multiply(Reading::transposed);
  matrices_.exchange();
  matrices_.gather(1);
  matrices_.find_eigenvalues();
  visitor_.send(traffic::to_leader, at_.tiles.front(), ObjectNumbers::leader, 0, 1);
  matrices_.send_products(1);
  answer();
}

void OrderWalk::step() {
  tell<StepOrder>(at_.tiles);
  tell<StepOrder>(at_.orbitals);
  visitor_.go_on(at_.tiles);
  visitor_.go_on(at_.orbitals);
  matrices_.send_blocks(1, 0);
  visitor_.go_on(at_.pairs);
  matrices_.send_root();
  matrices_.send_products(1);
  answer();
}

void OrderWalk::drift() {
  begin<DriftOrder, DriftOrder>();
  vectors(3 * operations::sum);
  matrices_.send_blocks(2, 0);
  matrices_.sum_overlaps(block_work::drift);
  matrices_.gather(3);
  matrices_.send_whole(1);
  report_motion();
  matrices_.send_products(1);
  vectors(2 * operations::sum);
  answer();
}

void OrderWalk::free_drift() {
  begin<DriftOrder, DriftOrder>();
  vectors(3 * operations::sum);
  matrices_.send_blocks(1, 0);
  matrices_.sum_overlaps(block_work::own_overlaps);
  matrices_.exchange();
  matrices_.sum_of_tiles();  // the largest deviation from 1
  matrices_.sum_of_tiles();  // and their norm
  matrices_.send_root();
  report_motion();
  matrices_.send_products(1);
  answer();
}

void OrderWalk::free_force() {
  begin<FreeForceOrder, NumberOnly>();
  matrices_.send_blocks(2, 0);
  matrices_.sum_overlaps(block_work::free_force);
  matrices_.exchange();
  matrices_.multiply(Reading::as_stored);
  matrices_.is_alone() ? matrices_.send_whole(2) : matrices_.send_tiles(2);
  matrices_.send_products(2);
  answer();
}

void OrderWalk::project() {
  begin<MotionOrder, NumberOnly>();
  matrices_.send_blocks(1, 2);
  answer();
  matrices_.sum_overlaps(block_work::project);
  matrices_.gather(2);
  report_motion();
}

// ----- ions, density and H psi -----

double OrderWalk::waves_of(int block, int part) const {
  return basis_.block(block).size() * static_cast<double>(basis_.waves(part).size());
}

/// So many operations for each coefficient of the orbitals.
void OrderWalk::vectors(double operations_each) {
  for (int block = 0; block < basis_.blocks(); ++block)
    for (int part = 0; part < basis_.parts(); ++part)
      visitor_.compute(at_.orbitals_at(block, part), Work::other,
                       operations_each * waves_of(block, part));
}

/// Work of each part of the density: `operations` of its number of waves.
template <class Operations>
void OrderWalk::on_waves_of_density(Work kind, const Operations& operations) {
  for (int d = 0; d < basis_.density_parts(); ++d)
    visitor_.compute(at_.density_at(d), kind, operations(basis_.density_plan()->waves_of(d)));
}

void OrderWalk::place() {
  const std::size_t positions = job_.positions.size() * sizeof(Vec3);
  tell<PlaceOrder>(at_.density, positions);
  if (projectors_ > 0) write_projectors();
  visitor_.go_on(at_.density);
  if (cell_moves())
    on_waves_of_density(Work::ions,
                        [&](std::size_t waves) { return ion_costs_.fields_in_new_cell(waves); });
  if (ion_transforms_) {
    compute_ion_points(false);
    send_density(traffic::splines, ion_parcels_, 0, counts_.of_ions());
    visitor_.go_on(at_.density);
    compute_ion_waves();
  } else {
    on_waves_of_density(Work::ions, [&](std::size_t waves) { return ion_costs_.fields(waves); });
  }
  // The leader finds the energy of the ions while the others place them.
  if (ewald_ == 0) return;
  visitor_.send(traffic::to_leader, ObjectNumbers::leader, ObjectNumbers::leader, 0, 1);
  visitor_.go_on(leader);
  visitor_.compute(ObjectNumbers::leader, Work::ions, ewald_);
}

void OrderWalk::write_projectors() {
  Objects all;
  for (const auto& one : at_.writers) all.insert(all.end(), one.writers.begin(), one.writers.end());
  tell<PlaceOrder>(all, job_.positions.size() * sizeof(Vec3));
  visitor_.go_on(all);
  const auto ions = static_cast<int>(job_.positions.size());
  for (const auto& [part, writers, orbitals] : at_.writers) {
    const auto shares = static_cast<int>(writers.size());
    if (cell_moves())
      visitor_.compute(writers.front(), Work::ions,
                       ion_costs_.projectors_in_new_cell(basis_.waves(part).size()));
    for (int share = 0; !nonlocal_splines_ && share < shares; ++share)
      visitor_.compute(
          writers[static_cast<std::size_t>(share)], Work::ions,
          ion_costs_.projectors(fft::share(ions, shares, share), basis_.waves(part).size()));
    visitor_.reduce(traffic::projections, writers, 1, orbitals, Sum::in_order);
  }
}

/// So many transforms of the density to points, and to waves.
void OrderWalk::send_density(traffic::Phase phase, const Parcels& parcels, double to_points,
                             double to_waves) {
  for (const auto& [from, to, bytes] : parcels) {
    const int a = at_.density_at(from), b = at_.density_at(to);
    const std::size_t body = body_bytes<fft::ParcelMessage>(bytes);
    if (to_points > 0) visitor_.send(phase, a, b, body, to_points);
    if (to_waves > 0) visitor_.send(phase, b, a, body, to_waves);
  }
}

void OrderWalk::evaluate() {
  tell<EvaluateOrder>(at_.density);
  tell<EvaluateOrder>(at_.orbitals);
  visitor_.go_on(at_.orbitals);
  vectors(operations::kinetic + operations::sum);
  transform_orbitals();
  project_orbitals();
  visitor_.go_on(at_.points);
  points_of_orbitals(1, operations::density_of_pair);
  sum_density();
  find_potential();
  sum(at_.density, DensitySums::count);
  visitor_.go_on(at_.points);
  // The points are made once more, and go back.
  points_of_orbitals(2, operations::potential_of_pair);
  for (int block = 0; block < basis_.blocks(); ++block) {
    for (const auto& [from, to, bytes] : orbital_parcels_)
      visitor_.send(traffic::orbital_rows, at_.points_at(block, to), at_.orbitals_at(block, from),
                    body_bytes<fft::ParcelMessage>(bytes), basis_.pairs(block));
    for (int part = 0; part < basis_.parts(); ++part)
      visitor_.send(traffic::orbital_rows, at_.points_at(block, part), at_.orbitals_at(block, part),
                    0, 1);
  }
  visitor_.go_on(at_.orbitals);
  for (int block = 0; block < basis_.blocks(); ++block)
    for (int part = 0; part < basis_.parts(); ++part)
      visitor_.compute(
          at_.orbitals_at(block, part), Work::transforms,
          basis_.pairs(block) * orbital_costs_.columns[static_cast<std::size_t>(part)]);
  for (int block = 0; nonlocal_splines_ && block < basis_.blocks(); ++block)
    compute_spline_waves(block, operations::spline_wave);
  answer();
}

/// Lines along z, and their way to the points.
void OrderWalk::transform_orbitals() {
  for (int block = 0; block < basis_.blocks(); ++block) {
    for (int part = 0; part < basis_.parts(); ++part) {
      const int orbitals = at_.orbitals_at(block, part);
      visitor_.compute(
          orbitals, Work::transforms,
          basis_.pairs(block) * orbital_costs_.columns[static_cast<std::size_t>(part)]);
      visitor_.send(traffic::orbital_rows, orbitals, at_.points_at(block, part), 0, 1);
    }
    for (const auto& [from, to, bytes] : orbital_parcels_)
      visitor_.send(traffic::orbital_rows, at_.orbitals_at(block, from), at_.points_at(block, to),
                    body_bytes<fft::ParcelMessage>(bytes), basis_.pairs(block));
  }
}

/// Lines along y and x, so many times, and each point.
void OrderWalk::points_of_orbitals(int transforms, double operations_each) {
  for (int block = 0; block < basis_.blocks(); ++block)
    for (int part = 0; part < basis_.parts(); ++part) {
      const int object = at_.points_at(block, part);
      const int pairs = basis_.pairs(block);
      visitor_.compute(object, Work::transforms,
                       transforms * pairs * orbital_costs_.planes[static_cast<std::size_t>(part)]);
      visitor_.compute(object, Work::other,
                       operations_each * pairs * static_cast<double>(basis_.points(part).volume()));
    }
}

/// Calls visit(part of the density, the points of orbitals of a spin that lie in it).
template <class Visit>
void OrderWalk::for_each_density_of_spin(const Visit& visit) const {
  Objects points;
  for (int spin = 0; spin < basis_.spins(); ++spin)
    for (int d = 0; d < basis_.density_parts(); ++d) {
      const int part = d / basis_.density_parts_in_part();
      const fft::Range of_spin = basis_.blocks_of_spin(spin);
      points.clear();
      for (int block = of_spin.begin; block < of_spin.end; ++block)
        points.push_back(at_.points_at(block, part));
      visit(d, points);
    }
}

void OrderWalk::sum_density() {
  for_each_density_of_spin([&](int d, const Objects& points) {
    visitor_.reduce(traffic::density_sums, points, basis_.density_points(d).volume(),
                    std::array{at_.density_at(d)}, Sum::exact);
  });
  visitor_.go_on(at_.density);
}

void OrderWalk::lines_of_density(double transforms, const std::vector<double>& operations) {
  for (int d = 0; d < basis_.density_parts(); ++d)
    visitor_.compute(at_.density_at(d), Work::large_transforms,
                     transforms * operations[static_cast<std::size_t>(d)]);
}

void OrderWalk::density_to_waves(double transforms) {
  lines_of_density(transforms, density_costs_.planes);
  send_density(traffic::density_rows, density_parcels_, 0, transforms);
  visitor_.go_on(at_.density);
  lines_of_density(transforms, density_costs_.columns);
}

void OrderWalk::density_to_points(double transforms) {
  lines_of_density(transforms, density_costs_.columns);
  send_density(traffic::density_rows, density_parcels_, transforms, 0);
  visitor_.go_on(at_.density);
  lines_of_density(transforms, density_costs_.planes);
}

/// From the density to the potential at the points of orbitals.
void OrderWalk::find_potential() {
  density_to_waves(counts_.density());
  if (counts_.core() > 0) density_to_points(counts_.core());
  if (counts_.has_gradient()) density_to_points(counts_.gradients());
  const double functional =
      counts_.has_gradient() ? operations::gradient_functional : operations::local_functional;
  for (int d = 0; d < basis_.density_parts(); ++d)
    visitor_.compute(
        at_.density_at(d), Work::other,
        job_.electrons.spins * functional * static_cast<double>(basis_.density_points(d).volume()));
  density_to_waves(counts_.flows());
  on_waves_of_density(Work::other, [](std::size_t waves) {
    return operations::hartree * static_cast<double>(waves);
  });
  density_to_points(counts_.potentials());
  for_each_density_of_spin([&](int d, const Objects& points) {
    visitor_.multicast(
        traffic::potentials, at_.density_at(d), points,
        body_bytes<PotentialMessage>(basis_.density_points(d).volume() * sizeof(double)));
  });
}

OrderWalk::Parcels OrderWalk::parcels_of_splines() const {
  return parcels_of(*nonlocal_splines_->plan(), fft::SphereEnd::points);
}

/// Adds products with projectors over the parts of each block; by splines, their transforms too.
void OrderWalk::project_orbitals() {
  if (projectors_ == 0) return;
  const Parcels parcels = nonlocal_splines_ ? parcels_of_splines() : Parcels();
  for (int block = 0; block < basis_.blocks(); ++block) {
    const auto first = static_cast<std::size_t>(block * basis_.parts());
    const auto parts = static_cast<std::size_t>(basis_.parts());
    const auto orbitals = std::span(at_.orbitals).subspan(first, parts);
    const std::size_t numbers = projectors_ * static_cast<std::size_t>(basis_.block(block).size());
    if (!nonlocal_splines_) {
      // They are found, and multiplied by the projectors when their sums are there.
      for (int part = 0; part < basis_.parts(); ++part)
        visitor_.compute(at_.orbitals_at(block, part), Work::products,
                         2 * block_product(static_cast<int>(projectors_),
                                           basis_.block(block).size(), basis_.waves(part).size()));
      visitor_.reduce(traffic::projections, orbitals, numbers, orbitals, Sum::in_order);
      continue;
    }
    const auto points = std::span(at_.spline_points).subspan(first, parts);
    const double transforms = nonlocal_splines_->transforms(block);
    compute_spline_waves(block, operations::spline_wave);
    send_to_spline_points(block, parcels, transforms);
    visitor_.go_on(points);
    compute_spline_points(block, true);
    Objects both(points.begin(), points.end());
    both.insert(both.end(), orbitals.begin(), orbitals.end());
    visitor_.reduce(traffic::projections, points, numbers, both, Sum::in_order);
    visitor_.go_on(points);
    compute_spline_points(block, false);
    send_from_spline_points(block, parcels, transforms);
  }
}

/// Lines along z of the transforms of splines, and their waves.
void OrderWalk::compute_spline_waves(int block, double operations_each) {
  const auto channels = static_cast<int>(nonlocal_splines_->channels().size());
  for (int part = 0; part < basis_.parts(); ++part) {
    const int object = at_.orbitals_at(block, part);
    visitor_.compute(
        object, Work::transforms,
        nonlocal_splines_->transforms(block) * nonlocal_splines_->costs().columns(part));
    visitor_.compute(object, Work::ions,
                     spline_waves(operations_each, channels * basis_.block(block).size(),
                                  basis_.waves(part).size()));
  }
}

/// Their lines along y and x, and the ions, which gather sums or are scattered.
void OrderWalk::compute_spline_points(int block, bool gathers) {
  const SplineCosts& costs = nonlocal_splines_->costs();
  const int transforms = nonlocal_splines_->transforms(block);
  for (int part = 0; part < basis_.parts(); ++part) {
    const int object = at_.spline_points_at(block, part);
    visitor_.compute(object, Work::transforms, transforms * costs.planes(part));
    visitor_.compute(object, Work::ions,
                     transforms * (gathers ? costs.gather(part) : costs.scatter(part)));
  }
}

// The same for the fields of ions on the density.
void OrderWalk::compute_ion_waves() {
  for (int d = 0; d < basis_.density_parts(); ++d)
    visitor_.compute(at_.density_at(d), Work::transforms,
                     counts_.of_ions() * ion_transforms_->costs().columns(d));
  on_waves_of_density(Work::ions, [&](std::size_t waves) {
    return counts_.of_ions() * spline_waves(operations::spline_field, 2, waves);
  });
}

void OrderWalk::compute_ion_points(bool gathers) {
  const SplineCosts& costs = ion_transforms_->costs();
  for (int d = 0; d < basis_.density_parts(); ++d) {
    visitor_.compute(at_.density_at(d), Work::transforms, counts_.of_ions() * costs.planes(d));
    visitor_.compute(at_.density_at(d), Work::ions,
                     counts_.of_ions() * (gathers ? costs.gather(d) : costs.scatter(d)));
  }
}

void OrderWalk::send_to_spline_points(int block, const Parcels& parcels, double count) {
  for (const auto& [from, to, bytes] : parcels)
    visitor_.send(traffic::splines, at_.orbitals_at(block, from), at_.spline_points_at(block, to),
                  body_bytes<fft::ParcelMessage>(bytes), count);
  for (int part = 0; part < basis_.parts(); ++part)
    visitor_.send(traffic::splines, at_.orbitals_at(block, part), at_.spline_points_at(block, part),
                  0, 1);
}

void OrderWalk::send_from_spline_points(int block, const Parcels& parcels, double count) {
  for (const auto& [from, to, bytes] : parcels)
    visitor_.send(traffic::splines, at_.spline_points_at(block, to), at_.orbitals_at(block, from),
                  body_bytes<fft::ParcelMessage>(bytes), count);
  for (int part = 0; part < basis_.parts(); ++part)
    visitor_.send(traffic::splines, at_.spline_points_at(block, part), at_.orbitals_at(block, part),
                  0, 1);
}

void OrderWalk::forces() {
  tell<ForcesOrder>(at_.density);
  tell<ForcesOrder>(at_.orbitals);
  visitor_.go_on(at_.density);
  visitor_.go_on(at_.orbitals);
  const bool virial = cell_moves();
  if (ion_transforms_) {
    compute_ion_waves();
    send_density(traffic::splines, ion_parcels_, counts_.of_ions(), 0);
    visitor_.go_on(at_.density);
    compute_ion_points(true);
    if (virial) {
      compute_ion_points(false);
      send_density(traffic::splines, ion_parcels_, 0, counts_.of_ions());
      visitor_.go_on(at_.density);
      compute_ion_waves();
    }
  } else {
    on_waves_of_density(Work::ions, [&](std::size_t waves) {
      return ion_costs_.forces_of_fields(waves) + (virial ? ion_costs_.virial_of_fields(waves) : 0);
    });
  }
  if (virial) {
    vectors(operations::product_of_vectors);
    on_waves_of_density(Work::ions,
                        [&](std::size_t waves) { return ion_costs_.virial_of_density(waves); });
  }
  if (projectors_ > 0 && !nonlocal_splines_) {
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int part = 0; part < basis_.parts(); ++part) {
        const std::size_t waves = basis_.waves(part).size();
        const int object = at_.orbitals_at(block, part);
        visitor_.compute(
            object, Work::products,
            (virial ? 2 : 1) * ion_costs_.products_of_forces(basis_.block(block).size(), waves));
        visitor_.compute(object, Work::ions, ion_costs_.sums_of_forces(waves));
        if (virial) visitor_.compute(object, Work::ions, ion_costs_.virial_of_projectors(waves));
      }
  }
  if (virial && nonlocal_splines_) {
    const Parcels parcels = parcels_of_splines();
    for (int block = 0; block < basis_.blocks(); ++block) {
      send_to_spline_points(block, {}, 0);
      visitor_.go_on(at_.spline_points);
      compute_spline_points(block, false);
      send_from_spline_points(block, parcels, nonlocal_splines_->transforms(block));
    }
    visitor_.go_on(at_.orbitals);
    for (int block = 0; block < basis_.blocks(); ++block) {
      compute_spline_waves(block, operations::spline_virial);
      for (int part = 0; part < basis_.parts(); ++part)
        visitor_.compute(at_.orbitals_at(block, part), Work::ions,
                         ion_costs_.virial_of_kinds(basis_.waves(part).size()));
    }
  }
  const std::size_t numbers = count_of_force_numbers(job_.positions.size());
  sum(at_.density, numbers);
  sum(at_.orbitals, numbers);
}

}  // namespace fg::ab_initio
