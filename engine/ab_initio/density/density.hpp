// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the density, in points and in waves: R_rho and G_rho. Its life is one order of the
// leader after the other. Here is what comes and what goes: densities of the orbitals, transforms,
// potentials for the orbitals. The kind of density says what potential there is. A part with whole
// planes does the lines along y and x itself; a piece of planes gets points.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/cell_waves.hpp"
#include "ab_initio/division/more_orbitals.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "base/aligned_vector.hpp"
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

/// Real fields that are transformed together, two in each transform, in this order.
struct DensityFields {
  struct Field {
    double* points;
    std::complex<double>* waves;
  };
  std::array<Field, 8> all{};  // at most four of each spin; null behind the last
  std::size_t count = 0;

  void add(double* points, std::complex<double>* waves) noexcept { all[count++] = {points, waves}; }
};

class Density : public Chare<Density, 1> {
 public:
  static constexpr std::string_view array_name = "density";
  using Number = std::complex<double>;
  using Waves = AlignedVector<Number>;
  using Points = AlignedVector<double>;

  /// Transforms that may be under way.
  static int window(const Job& job) noexcept { return 2 * job.electrons.spins; }
  static fft::SphereEnd end_of_transforms(const Basis& basis) noexcept {
    return basis.plane_pieces() == 1 ? fft::SphereEnd::rows : fft::SphereEnd::points;
  }

  Task life();
  // Orders of the leader, tagged with their number among those to the density.
  void place(Ref<const PlaceOrder> order) { what_ = place_ions(std::move(order)); }
  void evaluate(Ref<const EvaluateOrder> order) { what_ = follow_orbitals(std::move(order)); }
  void forces(Ref<const ForcesOrder> order);
  void finish() {}

  /// The density of the orbitals of a spin, tagged with its number. All spins of an evaluation come
  /// first, then those of the next one.
  void density(Ref<const ReductionMessage<std::int64_t>> sum);
  /// Tagged with the number of the transform.
  void transformed(Ref<const fft::FieldMessage> result);
  /// The transform of the grid of splines, tagged with its number.
  void met_ions(Ref<const fft::FieldMessage> result) { of_ions_ = std::move(result); }

  /// After a run: electrons/bohr^3 at the points of the part, row by row, of both spins.
  Points points() const;
  /// Density of spin up less that of spin down at the points [electrons/bohr^3]; empty without.
  Points spin_points() const;
  const electrons::PlaneWaves& plane_waves() const noexcept { return plane_waves_.now(); }
  /// The density of both spins in waves.
  virtual Waves waves() const = 0;
  /// All that the orbitals of each spin feel, in waves.
  virtual PotentialOfPart potential() const = 0;

 protected:
  explicit Density(std::shared_ptr<const DensitySetup> setup);

  /// Called at the beginning of each run.
  virtual Task begin() = 0;
  virtual Task place_ions(Ref<const PlaceOrder> order) = 0;
  /// The densities of the orbitals are there. Contributes energies and sends the potential.
  virtual Task find_potential(bool free_atoms) = 0;
  /// Contributes them.
  virtual Task find_forces(Stress stress) = 0;

  int part() const noexcept { return index()[0]; }
  double volume() const noexcept;
  Task to_waves(DensityFields fields);
  Task to_points(DensityFields fields);
  /// With room for the potential of a spin at the points.
  Ref<PotentialMessage> new_potential() const;
  void send_potential(int spin, Ref<PotentialMessage> message) const;

  std::shared_ptr<const DensitySetup> setup_;
  CellWaves plane_waves_;  // where the last order to place ions has put them
  std::size_t waves_, size_;
  std::int64_t number_ = 0;      // of the present order
  std::vector<Points> density_;  // up and down; one of all electrons without spin
  Ref<const fft::FieldMessage> of_ions_;

 private:
  Task follow_orbitals(Ref<const EvaluateOrder> order);
  // They work on two fields; the second may be null.
  void start_to_waves(const double* first, const double* second);
  void start_to_points(const Number* first, const Number* second);
  void take_waves(const fft::FieldMessage& from, Number* first, Number* second) const;
  void take_points(const fft::FieldMessage& from, double* first, double* second) const;
  /// The transform of this number, which has arrived and is not kept.
  Ref<const fft::FieldMessage> result(std::int64_t number);
  template <class Visit>
  void for_each_row(int turn, int y, const Visit& visit) const;

  std::optional<fft::SlabPoints<double>> slab_;  // none of a piece of planes
  Task what_;                                    // the present order asks for
  std::vector<Ref<const fft::FieldMessage>> results_;
  // Both are counted over all runs, as by the leader.
  std::int64_t orders_ = 0, transforms_ = 0;
};

/// The potential follows the density.
std::unique_ptr<Density> make_self_consistent_density(std::shared_ptr<const DensitySetup> setup);
/// The potential stays that of a ground state.
std::unique_ptr<Density> make_fixed_potential_density(std::shared_ptr<const DensitySetup> setup,
                                                      const FixedPotential& fixed, int part);

}  // namespace fg::ab_initio
