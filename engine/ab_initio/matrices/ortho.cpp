// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/matrices/ortho.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/division/spin_blocks.hpp"
#include "ab_initio/matrices/ortho_product.hpp"
#include "ab_initio/matrices/setups.hpp"
#include "electrons/matrices/blas.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

/// The d of the preconditioner (leader/minimiser.hpp) [hartree]. Orbitals turn to waves that are
/// taken to be this far from the highest orbital, where orbitals have no kinetic energy.
constexpr double least_gap = 0.3;

}  // namespace

Ortho::Ortho(std::shared_ptr<const OrthoSetup> setup)
    : setup_(std::move(setup)),
      setup_side_(setup_->matrix_tiles.side()),
      n_(setup_->basis->orbitals()),
      share_(setup_->matrix_tiles.share(index()[0], index()[1])),
      pieces_(setup_->pieces.count_of_tile(index()[0], index()[1])),
      subspace_(setup_->subspace()),
      inverse_root_(is_corner() ? n_ : 0),
      motion_(make_motion()) {
  for (Matrix* tile : {&first_, &second_, &lambda_, &spread_}) tile->resize(share_.numbers());
  if (setup_->matrices_of_order == 3) third_.resize(share_.numbers());
  if (is_alone()) return;
  for (Matrix* tile : {&y_, &z_, &r_, &product_}) tile->resize(share_.numbers());
  if (!third_.empty())
    for (Matrix* tile : {&overlaps_tile_, &root_tile_}) tile->resize(share_.numbers());
  left_.resize(static_cast<std::size_t>(setup_side_));
  right_.resize(static_cast<std::size_t>(setup_side_));
  if (!is_corner()) return;
  const auto all = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
  for (Matrix* whole : {&whole_, &whole_second_, &whole_lambda_}) whole->resize(all);
  if (motion_) whole_third_.resize(all);
}

Task Ortho::life() {
  for (;;) {
    const std::int64_t n = orders_++;
    co_await any_of(
        expect<&Ortho::subspace>(n), expect<&Ortho::combine>(n), expect<&Ortho::orthonormalise>(n),
        expect<&Ortho::turn>(n), expect<&Ortho::gradient>(n), expect<&Ortho::direction>(n),
        expect<&Ortho::step>(n), expect<&Ortho::drift>(n), expect<&Ortho::free_drift>(n),
        expect<&Ortho::free_force>(n), expect<&Ortho::project>(n), expect<&Ortho::reset>(n),
        expect<&Ortho::finish>(n));
    const Task what = std::exchange(what_, {});
    if (!what) co_return;
    co_await what;
  }
}

/// Called by an order: `what` the life then does.
void Ortho::begin(std::int64_t number, Task what) {
  number_ = number;
  what_ = std::move(what);
}

void Ortho::subspace(Ref<const SubspaceOrder> order) {
  begin(order->number, add_to_subspace(order->set, order->other));
}

void Ortho::combine(Ref<const CombineOrder> order) {
  begin(order->number, send_subspace(order->set));
}

void Ortho::orthonormalise(std::int64_t number) {
  begin(number, send_root());
}

void Ortho::turn(std::int64_t number) {
  begin(number, send_eigenvectors());
}

void Ortho::gradient(std::int64_t number) {
  begin(number, send_energies());
}

void Ortho::direction(std::int64_t number) {
  begin(number, project_direction());
}

void Ortho::step(Ref<const StepOrder> order) {
  begin(order->number, send_root_of_step(order->length, order->spread));
}

void Ortho::sums(Ref<const ReductionMessage<double>> sums) {
  const PhaseTimer timer(ortho_phase);
  const auto values = sums->values();
  const MatrixPiece& piece = setup_->pieces.all()[static_cast<std::size_t>(values.back())];
  const auto columns = static_cast<std::size_t>(piece.share.columns.size());
  const auto stride = static_cast<std::size_t>(share_.columns.size());
  const std::size_t half = piece.share.numbers();
  const bool three = !third_.empty();
  std::size_t to = static_cast<std::size_t>(piece.share.rows.begin - share_.rows.begin) * stride +
                   static_cast<std::size_t>(piece.share.columns.begin - share_.columns.begin);
  for (std::size_t from = 0; from < half; from += columns, to += stride) {
    std::copy_n(values.data() + from, columns, first_.data() + to);
    std::copy_n(values.data() + half + from, columns, second_.data() + to);
    if (three) std::copy_n(values.data() + 2 * half + from, columns, third_.data() + to);
  }
}

Task Ortho::send_energies() {
  co_await when<&Ortho::sums>(number_, pieces_);
  co_await make_symmetric(&first_);
  lambda_ = first_;
  if (is_alone()) {
    const PhaseTimer timer(ortho_phase);
    top_ = highest_of(lambda_);
  } else {
    co_await gather(&lambda_, &whole_lambda_);
    const std::int64_t turn = turn_++;
    if (is_corner()) {
      const PhaseTimer timer(ortho_phase);
      array().broadcast_at<&Ortho::highest>(turn, highest_of(whole_lambda_), Lane::high);
    }
    co_await when<&Ortho::highest>(turn);
  }
  send_tile(lambda_, top_ + least_gap);
}

Task Ortho::project_direction() {
  co_await when<&Ortho::sums>(number_, pieces_);
  send_tile(first_);
  // The direction will lose its part in the space of the orbitals: <d|d> - X^T X.
  co_await make_symmetric(&second_);
  spread_ = second_;
  co_await multiply({.factor = -1,
                     .a = &first_,
                     .reading = electrons::blas::Factor::Reading::transposed,
                     .b = &first_,
                     .to = &spread_});
  co_await average(&spread_);
  const Matrix* whole = &spread_;
  if (!is_alone()) {
    co_await gather(&spread_, &whole_);
    whole = &whole_;
  }
  if (is_corner()) {
    const PhaseTimer timer(ortho_phase);
    setup_->leader.largest_spread(number_, highest_of(*whole));
  }
}

Task Ortho::send_root_of_step(double length, double spread) {
  // (psi + l d)^T (psi + l d) = 1 + l^2 d^T d, since d has no part in the space of psi.
  const double factor = length * length;
  for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = factor * spread_[i];
  // The iteration does not converge far from 1, and there is slow before that.
  bool found = false;
  if (!is_alone() && factor * spread < electrons::InverseSquareRoot::farthest)
    co_await inverse_root(&found);
  if (found) {
    send_tile(second_);
    co_return;
  }
  add_unit(1, first_);
  co_await gather_sums(1);
  if (!is_corner()) co_return;
  {
    const PhaseTimer timer(ortho_phase);
    compute_root(whole_first(), whole_second());
  }
  send_whole(whole_second());
}

// Orders before the first iteration: by tile (0, 0).

Task Ortho::add_to_subspace(int set, int other) {
  co_await when<&Ortho::sums>(number_, pieces_);
  co_await gather_sums(2);
  if (!is_corner()) co_return;
  const PhaseTimer timer(ortho_phase);
  subspace_.add(set, other, whole_first(), whole_second());
  setup_->leader.largest_spread(number_, 0.0);
}

Task Ortho::send_subspace(int set) {
  if (!is_corner()) co_return;
  const PhaseTimer timer(ortho_phase);
  send_whole(subspace_.orbitals(set));
}

Task Ortho::send_root() {
  co_await when<&Ortho::sums>(number_, pieces_);
  co_await gather_sums(1);
  if (!is_corner()) co_return;
  const PhaseTimer timer(ortho_phase);
  subspace_ = setup_->subspace();
  fill_in(*setup_->basis, {{0, n_}, {0, n_}}, whole_first(), whole_first());
  compute_root(whole_first(), whole_second());
  send_whole(whole_second());
}

Task Ortho::send_eigenvectors() {
  if (!is_corner()) co_return;
  const PhaseTimer timer(ortho_phase);
  Matrix &first = whole_first(), &second = whole_second();
  const auto n = static_cast<std::size_t>(n_);
  first = is_alone() ? lambda_ : whole_lambda_;
  eigenvectors_of_spins(*setup_->basis, first);
  charge(Work::other, eigenvectors_of(n_));
  // The eigenvectors are rows.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) second[k * n + i] = first[i * n + k];
  send_whole(second);
}

void Ortho::compute_root(const Matrix& of, Matrix& root) {
  const electrons::InverseRootReport report = inverse_root_.compute(of, root);
  const auto n = static_cast<std::size_t>(n_);
  if (report.method == electrons::InverseRootMethod::eigenvectors)
    charge(Work::other, eigenvectors_of(n_));
  else
    charge(Work::products, report.products * matrix_product(n, n, n));
}

std::vector<double> Ortho::eigenvalues_of(const Matrix& matrix) const {
  charge(Work::other, ab_initio::eigenvalues_of(n_));
  Matrix copy = matrix;
  return eigenvalues_of_spins(*setup_->basis, copy);
}

double Ortho::highest_of(const Matrix& matrix) const {
  const std::vector<double> values = eigenvalues_of(matrix);
  return *std::max_element(values.begin(), values.end());
}

std::vector<double> Ortho::eigenvalues() const {
  return eigenvalues_of(is_alone() ? lambda_ : whole_lambda_);
}

namespace {

Ref<MatrixMessage> matrix_message(const MatrixShare& share, std::span<const double> numbers) {
  auto message = make_message<MatrixMessage>(numbers.size() * sizeof(double));
  message->top = 0;
  message->matrices = 1;
  message->share = share;
  std::copy(numbers.begin(), numbers.end(), message->trailing<double>());
  return message;
}

}  // namespace

void Ortho::send_tile(const Matrix& tile, double top) {
  auto message = matrix_message(share_, tile);
  message->top = top;
  setup_->listeners_of_tile[static_cast<std::size_t>(ordinal())].multicast<&PairCalculator::matrix>(
      std::move(message), Lane::high);
}

void Ortho::send_tiles(const Matrix& first, const Matrix& second) {
  auto message = make_message<MatrixMessage>((first.size() + second.size()) * sizeof(double));
  message->top = 0;
  message->matrices = 2;
  message->share = share_;
  double* const to = message->trailing<double>();
  std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), to));
  setup_->listeners_of_tile[static_cast<std::size_t>(ordinal())].multicast<&PairCalculator::matrix>(
      std::move(message), Lane::high);
}

void Ortho::send_whole(std::span<const double> whole, int matrices) {
  auto message = matrix_message({{0, n_}, {0, n_}}, whole);
  message->matrices = matrices;
  setup_->all_pairs.multicast<&PairCalculator::matrix>(std::move(message), Lane::high);
}

}  // namespace fg::ab_initio
