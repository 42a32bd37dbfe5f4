// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of each order of the leader (leader/leader_orders.cpp) as a visitor gets them: who
// sends what to whom, and who computes what. It leaves out the start, checkpoints, empty orbitals,
// and what work objects do not charge (division/costs.hpp, ions/ion_costs.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/ions/ion_costs.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/ion_transforms.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orbitals/nonlocal_splines.hpp"
#include "ab_initio/places/counted_orders.hpp"
#include "ab_initio/places/evaluation_counts.hpp"
#include "ab_initio/places/matrix_steps.hpp"
#include "ab_initio/places/object_numbers.hpp"
#include "ab_initio/places/order_visitor.hpp"
#include "ab_initio/places/traffic_phases.hpp"
#include "fft/sphere/sphere_parcels.hpp"

namespace fg::ab_initio {

class OrderWalk {
 public:
  /// All of them must outlive it. `rounds`: of inverse square roots that all tiles find, in the
  /// orders that have them; 0: they are orders of their own.
  OrderWalk(const Job& job, const Basis& basis, const MatrixTiles& tiles, const ObjectNumbers& at,
            OrderVisitor& visitor, int rounds);

  /// From the leader's order to its answers.
  void follow(CountedOrder order);

 private:
  using Parcels = std::vector<fft::SphereParcel>;
  using Objects = std::vector<int>;

  template <class Order>
  void tell(const Objects& objects, std::size_t trailing = 0);
  /// An order with matrices, to tiles and orbitals.
  template <class OfTiles, class OfOrbitals>
  void begin();
  void sum(const Objects& objects, std::size_t numbers);
  void answer();
  void report_motion();

  void follow_order(CountedOrder order);
  void gradient();
  void direction();
  void step();
  void drift();
  void free_drift();
  void free_force();
  void project();
  void place();
  void write_projectors();
  void evaluate();
  void forces();

  template <class Operations>
  void on_waves_of_density(Work kind, const Operations& operations);
  void vectors(double operations_each);
  void transform_orbitals();
  void points_of_orbitals(int transforms, double operations_each);
  template <class Visit>
  void for_each_density_of_spin(const Visit& visit) const;
  void sum_density();
  void lines_of_density(double transforms, const std::vector<double>& operations);
  void density_to_waves(double transforms);
  void density_to_points(double transforms);
  void find_potential();
  void project_orbitals();
  void send_density(traffic::Phase phase, const Parcels& parcels, double to_points,
                    double to_waves);
  void compute_spline_waves(int block, double operations_each);
  void compute_spline_points(int block, bool gathers);
  void compute_ion_waves();
  void compute_ion_points(bool gathers);
  void send_to_spline_points(int block, const Parcels& parcels, double count);
  void send_from_spline_points(int block, const Parcels& parcels, double count);
  Parcels parcels_of_splines() const;
  double waves_of(int block, int part) const;
  bool cell_moves() const noexcept { return moves_cell(job_.dynamics); }

  const Job& job_;
  const Basis& basis_;
  const ObjectNumbers& at_;
  OrderVisitor& visitor_;
  IonTables tables_;
  EvaluationCounts counts_;
  IonCosts ion_costs_;
  double ewald_ = 0;  // operations
  MatrixSteps matrices_;
  TransformCosts orbital_costs_, density_costs_;
  std::size_t projectors_ = 0;  // rows of all ions
  std::optional<NonlocalSplines> nonlocal_splines_;
  std::optional<IonTransforms> ion_transforms_;
  Parcels orbital_parcels_, density_parcels_, ion_parcels_;
};

}  // namespace fg::ab_initio
