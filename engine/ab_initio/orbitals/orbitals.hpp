// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the waves of a block of orbitals, G(s, p): coefficients, forces on them, search
// directions. It takes orders from the leader. For what involves other orbitals it sends its
// coefficients to the pair calculators. For the density it sends them to the transforms.
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
#include "ab_initio/orders/orders.hpp"
#include "base/aligned_vector.hpp"
#include "base/virial.hpp"
#include "fft/chares/transform_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::electrons {
class Projectors;
}

namespace fg::ab_initio {

struct Drift;
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

  // Orders of the leader.
  void random(Ref<const RandomOrder> order);
  /// The orbitals with which the last run has ended.
  void last(std::int64_t number);
  void stored(Ref<const StoredOrder> order);
  void atomic(Ref<const AtomicOrder> order);
  /// This set of atomic orbitals, and H times it.
  void keep(std::int64_t number);
  void subspace(Ref<const SubspaceOrder> order);
  void combine(Ref<const CombineOrder> order);
  void orthonormalise(std::int64_t number);
  /// Into those of which each has an energy of its own: eigenvectors of <psi|H|psi>.
  void turn(std::int64_t number);
  void evaluate(Ref<const EvaluateOrder> order);
  /// H psi - psi <psi|H|psi>.
  void gradient(std::int64_t number);
  void accept(Ref<const AcceptOrder> order);
  void direction(Ref<const DirectionOrder> order);
  void step(Ref<const StepOrder> order);
  void forces(Ref<const ForcesOrder> order);
  /// These orbitals, of a step of a dynamics or of a search at one geometry after the other.
  void remember(std::int64_t number);
  void predict(Ref<const PredictOrder> order);
  void resume(Ref<const ResumeOrder> order);
  // A Car-Parrinello dynamics has these orders. In it the orbitals of an evaluation are those that
  // move, or follow from free ones (orbital_motion.cpp).
  /// It begins with these orbitals, without velocities.
  void rest(std::int64_t number);
  void drift(Ref<const DriftOrder> order);
  void free_drift(Ref<const DriftOrder> order);
  void free_force(std::int64_t number);
  void kick(Ref<const KickOrder> order);
  /// What the constraint takes from the kinetic energy.
  void project(std::int64_t number);
  /// Free orbitals become the orthonormal ones, with their velocities.
  void reset(std::int64_t number);

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
  void begin(std::int64_t number);
  void follow(const electrons::Lattice& cell);
  void write_random(int first);
  void remember_base();
  const std::array<Vector, 2>& kept(int set) const {
    return kept_.at(static_cast<std::size_t>(set));
  }
  void start_transform(int pair);
  void add_potentials();
  void add_potential(const fft::FieldMessage& waves);
  const double* summed_products();
  Vector& gradient_vector() noexcept { return motion_ ? gradient_ : h_psi_; }
  Ref<BlockMessage> new_block(const BlockWork& work, std::size_t vectors, int first = 0) const;
  void send(Ref<BlockMessage> block);
  Ref<BlockMessage> chunk_of(const BlockMessage& block, const fft::Range& waves) const;
  void send_block(const BlockWork& work, std::initializer_list<const Vector*> vectors);
  void send_vectors(const BlockWork& work, std::span<const Vector* const> vectors, int first);
  void begin_nonlocal();
  void contribute_forces();
  void answer();

  // What orbitals do with their product with the matrix of an order, [orbitals][waves].
  using TakeProduct = void (Orbitals::*)(const double* product);
  void take_orbitals(const double* product);
  void add_to_orbitals(const double* product);
  void take_gradient(const double* inside);
  void take_direction(const double* inside);
  void constrain(const double* by);
  void take_force(const double* force);
  void take_velocities(const double* velocities);

  Drift drift_of(const DriftOrder& order) const;
  double fictitious_kinetic(double sum, std::span<const Number> velocity) const noexcept;

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
  bool finds_virial_ = false;
  std::int64_t number_ = 0;             // of the present order
  TakeProduct take_product_ = nullptr;  // of the present order
  std::int64_t transforms_ = 0;         // of this block that have been started
  int awaited_ = 0;                     // results of an evaluation
  std::int64_t placement_ = 0;          // of the projectors
  bool waits_for_ions_ = false;         // with the nonlocal part
  bool projected_ = false;  // h_psi_ has its nonlocal part, and the local one may be added
  std::vector<Ref<const fft::FieldMessage>> applied_;  // that came before
  OrbitalSums sums_;
  double residual_ = 0;
};

}  // namespace fg::ab_initio
