// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the waves of a block of orbitals, G(s, p): coefficients, forces on them, search
// directions. It takes orders from the leader; for what involves other orbitals it sends its
// coefficients to the pair calculators, and for the density to the transforms.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ab_initio/division/cell_waves.hpp"
#include "ab_initio/orbitals/orbital_motion.hpp"
#include "ab_initio/orbitals/orbital_splines.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orbitals/spline_points.hpp"
#include "ab_initio/orders/messages.hpp"
#include "base/aligned_vector.hpp"
#include "base/virial.hpp"
#include "fft/chares/transform_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::electrons {
class Projectors;
}

namespace fg::ab_initio {

struct OrbitalsSetup;

/// What every order sums over all parts of all blocks.
struct OrbitalSums {
  double kinetic = 0;  // energies [hartree]
  double nonlocal = 0;
  double slope = 0;       // <gradient|direction>
  double fictitious = 0;  // kinetic energy of moving orbitals [hartree]

  static constexpr std::size_t count = 4;
  std::array<double, count> values() const noexcept {
    return {kinetic, nonlocal, slope, fictitious};
  }
};

class Orbitals final : public Chare<Orbitals, 2> {
 public:
  static constexpr std::string_view array_name = "orbitals";
  using Number = std::complex<double>;
  using Vector = AlignedVector<Number>;

  explicit Orbitals(std::shared_ptr<const OrbitalsSetup> setup);

  void order(Ref<const OrderMessage> message);
  /// The projectors of all ions are where the last order has put them; by the number of the order.
  void placed(Ref<const ReductionMessage<double>> rows);
  /// <projector|orbital>, summed over all parts.
  void projected(Ref<const ReductionMessage<double>> sums);
  /// The potential times two of the orbitals.
  void applied(Ref<const fft::FieldMessage> waves);
  /// The nonlocal part by splines sends these: the next points may come; waves; forces on ions.
  void spline_points_taken();
  void spline_waves(Ref<const fft::FieldMessage> waves);
  void spline_forces(Ref<const SplineForcesMessage> forces);
  /// Orbitals times a matrix, of one group of blocks.
  void product(Ref<const ProductMessage> part);

  /// The coefficients after a run: [orbitals][waves].
  const Vector& coefficients() const noexcept { return moves_ ? psi_ : base_; }
  const SearchMemory& memory() const noexcept { return memory_; }
  /// The motion in a dynamics; null without moving orbitals.
  const OrbitalMotion* motion() const noexcept { return motion_.get(); }
  /// The orbitals of a step of a dynamics; 0 is the newest.
  const Vector& past(int age) const noexcept {
    return past_[(newest_past_ + past_.size() - static_cast<std::size_t>(age)) % past_.size()];
  }

 private:
  int block() const noexcept { return index()[0]; }
  int part() const noexcept { return index()[1]; }
  const electrons::Projectors& projectors() const noexcept;
  double occupation() const noexcept;
  std::span<const Number> row(const Vector& of, int orbital) const noexcept;
  std::span<Number> row(Vector& of, int orbital) const noexcept;

  void take_memory();
  void take_memory_of_search();
  void drop_memory_of_search();
  void keep();
  void write_random(int first);
  void write_atomic(int set);
  void read_stored();
  void remember();
  void predict();
  const std::array<Vector, 2>& kept(int set) const {
    return kept_.at(static_cast<std::size_t>(set));
  }
  void evaluate();
  void start_transform(int pair);
  void add_potentials();
  void add_potential(const fft::FieldMessage& waves);
  void accept();
  const double* summed_products();
  Vector& gradient() noexcept { return motion_ ? gradient_ : h_psi_; }
  void take_gradient(const double* inside);
  void take_direction(const double* inside);
  Ref<BlockMessage> new_block(std::size_t vectors, int first = 0) const;
  void send(Ref<BlockMessage> block);
  Ref<BlockMessage> chunk_of(const BlockMessage& block, const fft::Range& waves) const;
  void send_block(std::initializer_list<const Vector*> vectors);
  void send_vectors(std::span<const Vector* const> vectors, int first);
  void send_step();
  void forces();
  void begin_nonlocal();
  void contribute_forces();
  bool finds_virial() const noexcept;
  void answer();

  // The steps of a dynamics (orbital_motion.cpp).
  void begin_motion();
  void resume_motion();
  void drift();
  void constrain(const double* by);
  void kick();
  void take_velocities(const double* velocities);
  double fictitious_kinetic(double sum, std::span<const Number> velocity) const noexcept;
  void send_velocities();

  /// Operations for each coefficient.
  void charge_vectors(double operations) const;
  /// Where G = 0 is among the numbers of an orbital, or -1.
  std::ptrdiff_t zero() const noexcept;

  std::shared_ptr<const OrbitalsSetup> setup_;
  int orbitals_;
  CellWaves plane_waves_;
  std::size_t waves_;
  Vector psi_;       // orthonormal; the orbitals of the last trial
  Vector base_;      // those at which a search begins, and with which it ends
  Vector h_psi_;     // kinetic, nonlocal and then local part
  Vector gradient_;  // of a dynamics, which still needs H psi; a search writes it over H psi
  Vector base_gradient_;
  Vector direction_;
  Vector sum_;  // of the products of several groups and chunks
  SearchMemory memory_;
  std::vector<std::array<Vector, 2>> kept_;  // sets of atomic orbitals, and H times them
  std::vector<double> below_;    // the highest energy minus that of each orbital [hartree]
  std::vector<double> coupled_;  // D Z of the last evaluation, [projectors][orbitals]
  std::vector<Ref<const ProductMessage>> products_;  // chunk by chunk, of each group
  std::vector<Vector> past_;                         // of steps of a dynamics
  std::size_t newest_past_ = 0;
  std::unique_ptr<OrbitalMotion> motion_;  // of a dynamics
  bool moves_ = false;                     // psi_ are the orbitals, else base_
  std::optional<OrbitalSplines> splines_;  // if the nonlocal part is by splines
  std::vector<Vec3> forces_;
  Virial virial_{};
  Ref<const OrderMessage> order_;
  std::int64_t transforms_ = 0;  // of this block that have been started
  int awaited_ = 0;              // results of an evaluation
  std::int64_t placement_ = 0;   // of the projectors
  bool waits_for_ions_ = false;  // with the nonlocal part
  bool projected_ = false;       // h_psi_ has its nonlocal part, and the local one may be added
  std::vector<Ref<const fft::FieldMessage>> applied_;  // that came before
  OrbitalSums sums_;
  double residual_ = 0;
};

}  // namespace fg::ab_initio
