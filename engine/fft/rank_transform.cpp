// SPDX-License-Identifier: BSD-3-Clause
#include "fft/rank_transform.hpp"

#include <algorithm>

namespace fg::fft {

namespace {

/// The plan, if rank, batch and arrays go with it.
const TransformPlan& checked(const TransformPlan& plan, int rank, const Storage& points,
                             const Storage& waves, int batch) {
  require_rank_and_batch(rank, plan.ranks(), batch);
  const auto mine = static_cast<std::size_t>(rank);
  require_storage(points, plan.boxes().in[mine], batch, "points");
  require_storage(waves, plan.boxes().out[mine], batch, "waves");
  return plan;
}

}  // namespace

template <class Real>
RankTransform<Real>::RankTransform(std::shared_ptr<const TransformPlan> plan, int rank,
                                   const Storage& points, const Storage& waves, int batch,
                                   Wire wire, Packing packing)
    : plan_(std::move(plan)),
      rank_(rank),
      batch_(batch),
      wire_(sizeof(Real) == sizeof(float) ? Wire::exact : wire),
      packing_(packing),
      forward_(checked(*plan_, rank, points, waves, batch), rank, batch, Direction::forward, points,
               waves, wire_, packing == Packing::inside),
      backward_(*plan_, rank, batch, Direction::backward, waves, points, wire_,
                packing == Packing::inside),
      step_(forward_.steps.size()) {
  typename Program::Memory memory;
  forward_.need(memory, batch);
  backward_.need(memory, batch);
  for (int k = 0; k < 2; ++k) {
    work_[k].resize(memory.work[k]);
    places_[k].resize(memory.places);
  }
  plane_.resize(memory.plane);
  if (packing == Packing::outside) return;
  pieces_.resize(memory.pieces);
  packed_.resize(memory.packed);
  arrived_.resize(memory.arrived);
  for (Program* program : {&forward_, &backward_})
    program->place_parcels(batch, pieces_.data(), packed_.data(), arrived_.data());
}

template <class Real>
std::byte* RankTransform<Real>::place(const Slot& slot, int field) noexcept {
  const std::size_t offset =
      static_cast<std::size_t>(field) * slot.storage.distance * element_size<Real>(slot.real);
  switch (slot.where) {
    case Where::from:
      return from_ + offset;
    case Where::to:
      return to_ + offset;
    case Where::first_work:
      return work_[0].data() + offset;
    case Where::second_work:
      return work_[1].data() + offset;
    case Where::plane:
      return plane_.data();
    case Where::pieces:
      return pieces_.data();
  }
  return nullptr;
}

template <class Real>
void RankTransform<Real>::run(typename Program::Pass& pass, int field, int plane) noexcept {
  using Complex = std::complex<Real>;
  const auto apart = [&](const Slot& slot, std::ptrdiff_t elements) {
    return plane * elements * static_cast<std::ptrdiff_t>(element_size<Real>(slot.real));
  };
  std::byte* const from = place(pass.from, field) + apart(pass.from, pass.from_apart);
  std::byte* const to = place(pass.to, field) + apart(pass.to, pass.to_apart);
  const auto places = [&](const std::optional<CutPieces>& pieces, std::int64_t* table) {
    if (pieces) pieces->places(field, plane, table);
    return pieces ? table : nullptr;
  };
  for (const auto& lines : pass.lines)
    lines.execute(
        reinterpret_cast<const Complex*>(from), reinterpret_cast<Complex*>(to),
        {places(pass.from_pieces, places_[0].data()), places(pass.to_pieces, places_[1].data())});
  for (auto& lines : pass.real_lines)
    if (pass.from.real)
      lines.forward(reinterpret_cast<const Real*>(from), reinterpret_cast<Complex*>(to));
    else
      lines.backward(reinterpret_cast<const Complex*>(from), reinterpret_cast<Real*>(to));
}

/// Runs the pass at `step_` and those that go together with it; leaves `step_` at the last of them.
template <class Real>
void RankTransform<Real>::run_passes(std::vector<typename Program::Step>& steps) noexcept {
  auto& first = std::get<typename Program::Pass>(steps[step_]);
  typename Program::Pass* second = nullptr;
  const bool through_plane = first.to.where == Where::plane;
  if (step_ + 1 < steps.size() && (first.planes > 1 || through_plane))
    second = std::get_if<typename Program::Pass>(&steps[step_ + 1]);
  if (second != nullptr && second->planes != first.planes) second = nullptr;
  // If `from` and `to` are one array, all planes must be read before any is written elsewhere.
  if (second != nullptr && !through_plane && first.from.where == Where::from &&
      second->to.where == Where::to && first.from.storage != second->to.storage)
    second = nullptr;
  for (int field = 0; field < batch_; ++field)
    for (int plane = 0; plane < first.planes; ++plane) {
      run(first, field, plane);
      if (second != nullptr) run(*second, field, plane);
    }
  if (second != nullptr) ++step_;
}

template <class Real>
void RankTransform<Real>::run(typename Program::Move& move) noexcept {
  const Layout &from = move.from.storage.layout, &to = move.to.storage.layout;
  for (int field = 0; field < batch_; ++field)
    copy_numbers<Real>(from.box, move.from.real, place(move.from, field), from,
                       place(move.to, field), to);
}

template <class Real>
void RankTransform<Real>::pack(std::size_t k, std::byte* to) noexcept {
  const Exchange& now = exchange();
  now.boxes.pack(k, place(now.from, 0), to);
}

template <class Real>
void RankTransform<Real>::unpack(std::size_t k, const std::byte* from) noexcept {
  const Exchange& now = exchange();
  now.boxes.unpack(k, from, place(now.to, 0));
}

template <class Real>
void RankTransform<Real>::begin(Direction direction, const void* from, void* to) noexcept {
  direction_ = direction;
  from_ = const_cast<std::byte*>(static_cast<const std::byte*>(from));
  to_ = static_cast<std::byte*>(to);
  step_ = 0;
  go_on();
}

template <class Real>
void RankTransform<Real>::proceed() noexcept {
  ++step_;
  go_on();
}

template <class Real>
void RankTransform<Real>::go_on() noexcept {
  auto& steps = program().steps;
  for (; step_ < steps.size(); ++step_) {
    if (auto* exchange = std::get_if<Exchange>(&steps[step_])) {
      if (exchange->direct) return;
      if (packing_ == Packing::inside) exchange->boxes.pack(place(exchange->from, 0));
      return exchange->boxes.keep(place(exchange->from, 0), place(exchange->to, 0));
    }
    if (auto* move = std::get_if<typename Program::Move>(&steps[step_]))
      run(*move);
    else
      run_passes(steps);
  }
}

template <class Real>
int RankTransform<Real>::exchanges() const noexcept {
  return static_cast<int>(
      std::count_if(forward_.steps.begin(), forward_.steps.end(),
                    [](const auto& step) { return std::holds_alternative<Exchange>(step); }));
}

template <class Real>
std::size_t RankTransform<Real>::sent_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const auto& step : forward_.steps)
    if (const auto* exchange = std::get_if<Exchange>(&step))
      bytes += bytes_of(exchange->boxes.sends());
  return bytes;
}

template <class Real>
std::size_t RankTransform<Real>::largest_exchange() const noexcept {
  std::size_t most = 0;
  for (const Program* program : {&forward_, &backward_})
    for (const auto& step : program->steps)
      if (const auto* exchange = std::get_if<Exchange>(&step))
        most = std::max(
            {most, room_for(exchange->boxes.sends()), room_for(exchange->boxes.receives())});
  return most;
}

template <class Real>
std::size_t RankTransform<Real>::memory() const noexcept {
  return work_[0].size() + work_[1].size() + plane_.size() + pieces_.size() + packed_.size() +
         arrived_.size();
}

template class RankTransform<float>;
template class RankTransform<double>;

}  // namespace fg::fft
