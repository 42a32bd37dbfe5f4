// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the density, in points and in waves: R_rho and G_rho. Its life is one evaluation after
// the other: density, its gradient, exchange and correlation, Hartree and local potential, and
// the sum of all potentials to the orbitals. With spin, up and down share each transform. A part
// with whole planes does the lines along y and x itself; a piece of planes gets points.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/cell_waves.hpp"
#include "ab_initio/division/more_orbitals.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "base/aligned_vector.hpp"
#include "electrons/ions/ion_field.hpp"
#include "electrons/splines/spline_field.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/sphere/slab_points.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct DensitySetup;

/// Energies of the density, summed over its parts [hartree].
struct DensitySums {
  double hartree = 0, local = 0, alpha = 0, exchange_correlation = 0, electrons = 0;
  // The integrals of the spin density and of its absolute value.
  double magnetization = 0, absolute_magnetization = 0;

  static constexpr std::size_t count = 7;
  std::array<double, count> values() const noexcept {
    return {hartree,
            local,
            alpha,
            exchange_correlation,
            electrons,
            magnetization,
            absolute_magnetization};
  }
};

class Density final : public Chare<Density, 1> {
 public:
  static constexpr std::string_view array_name = "density";
  using Number = std::complex<double>;
  using Waves = AlignedVector<Number>;
  using Points = AlignedVector<double>;

  explicit Density(std::shared_ptr<const DensitySetup> setup);

  /// Transforms that may be under way.
  static int window(const Job& job) noexcept { return 2 * job.electrons.spins; }
  static fft::SphereEnd end_of_transforms(const Basis& basis) noexcept {
    return basis.plane_pieces() == 1 ? fft::SphereEnd::rows : fft::SphereEnd::points;
  }

  Task life();
  // Orders of the leader, tagged with their number among those to the density.
  void place(Ref<const PlaceOrder> order) { what_ = place_ions(std::move(order)); }
  void evaluate(Ref<const EvaluateOrder> order) { what_ = find_potential(std::move(order)); }
  void forces(Ref<const ForcesOrder> order) { what_ = find_forces(std::move(order)); }
  void finish() {}

  /// Tagged with the number of the evaluation.
  void density(Ref<const ReductionMessage<std::int64_t>> sum);
  void density_down(Ref<const ReductionMessage<std::int64_t>> sum);
  /// Tagged with the number of the transform.
  void transformed(Ref<const fft::FieldMessage> result);

  /// The transform of the grid of splines, tagged with its number.
  void met_ions(Ref<const fft::FieldMessage> result) { of_ions_ = std::move(result); }

  /// After a run: electrons/bohr^3 at the points of the part, row by row, of both spins.
  const Points& points() const noexcept { return density_; }
  const electrons::PlaneWaves& plane_waves() const noexcept { return plane_waves_.now(); }
  /// The same in waves.
  const Waves& waves() const noexcept { return rho_; }
  /// All that the orbitals of each spin feel, in waves.
  PotentialOfPart potential() const;
  /// Density of spin up less that of spin down at the points [electrons/bohr^3]; empty without.
  Points spin_points() const;

 private:
  int part() const noexcept { return index()[0]; }
  std::span<const Vec3> positions() const noexcept { return positions_of(*placed_); }
  Task find_screening();
  void make_ion_splines();
  void make_ion_tables();
  double volume() const noexcept;
  double thinning() const noexcept;
  Task place_ions(Ref<const PlaceOrder> order);
  Task write_by_splines(electrons::SplineFieldShare* ions, Waves* field);
  void scatter_ions(const electrons::SplineFieldShare& ions, std::size_t pair);
  std::size_t ion_points() const noexcept;
  /// Adds to forces_ and virial_.
  Task add_by_splines(const electrons::SplineFieldShare* ions, const Waves* partner);
  Task find_potential(Ref<const EvaluateOrder> order);
  Task follow_density(bool free_atoms);
  Task exchange_and_correlation();
  Task send_potential();
  Task find_forces(Ref<const ForcesOrder> order);
  Task add_up_forces();
  // In a fixed potential (density_fixed.cpp).
  Task find_fixed_points();
  void use_fixed_potential();
  void contribute_no_forces();
  void add_up_virial();
  // With spin (density_of_spins.cpp).
  bool has_spin() const noexcept { return spins_.size() == 2; }
  void make_spins();
  Task find_density_of_spins(bool free_atoms);
  Task exchange_and_correlation_of_spins();
  Task gradients_of_spins();
  void evaluate_functional_of_spins();
  Task xc_potentials_of_spins();
  Task send_potentials_of_spins();
  /// The potential that half of each model core feels.
  Waves mean_xc_potential() const;
  void to_waves(std::span<const double> first, std::span<const double> second);
  void to_points(std::span<const Number> first, std::span<const Number> second);
  /// The transform of this number, which has arrived and is not kept.
  Ref<const fft::FieldMessage> result(std::int64_t number);
  /// Takes the first or second of the two fields of such a transform.
  void take_waves(const fft::FieldMessage& from, int which, Waves& waves) const;
  /// Takes both fields, rows or points: `second` may be null.
  void take_points(const fft::FieldMessage& from, double* first, double* second = nullptr) const;
  template <class Visit>
  void for_each_row(int turn, int y, const Visit& visit) const;

  std::shared_ptr<const DensitySetup> setup_;
  CellWaves plane_waves_;  // where the last order to place ions has put them
  std::size_t waves_, size_;
  std::optional<fft::SlabPoints<double>> slab_;  // none of a piece of planes
  Task what_;                                    // the present order asks for
  std::int64_t number_ = 0;                      // of the present order
  bool finds_virial_ = false;                    // the present order wants one
  std::vector<Ref<const fft::FieldMessage>> results_;
  // Both are counted over all runs, as by the leader.
  std::int64_t orders_ = 0, transforms_ = 0;
  std::vector<double> screening_;  // of a molecule without images
  // The last order to place the ions, with their positions.
  Ref<const PlaceOrder> placed_;
  electrons::IonField local_field_, core_field_;
  std::optional<electrons::SplineFieldShare> local_splines_, core_splines_;
  Ref<const fft::FieldMessage> of_ions_;
  std::int64_t ion_transforms_ = 0;  // counted over all runs
  Waves local_, core_;
  Points density_, with_core_, energy_, by_density_, sigma_, by_sigma_;
  std::array<Points, 3> gradient_;  // then the flow
  Virial products_{};
  Waves rho_, rho_with_core_, potential_, xc_potential_, hartree_;
  std::array<Waves, 3> flux_;
  DensitySums sums_;
  std::vector<Vec3> forces_;
  Virial virial_{};

  struct OfSpin {
    Points density, with_core, by_density;
    std::array<Points, 3> gradient;  // then the flow
    Waves rho, rho_with_core, xc_potential, potential;
    std::array<Waves, 3> flux;
  };
  std::vector<Points> fixed_points_;  // of a fixed potential, by spin
  std::vector<OfSpin> spins_;         // up and down; none without spin
  // The products of gradients, and derivatives by them: up up, up down, down down.
  std::array<Points, 3> sigma_of_spins_, by_sigma_of_spins_;
};

}  // namespace fg::ab_initio
