// SPDX-License-Identifier: BSD-3-Clause
//
// The definitions of pencils.hpp, for the source that instantiates them for a client.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fft/chares/pencils.hpp"

namespace fg::fft {

namespace detail {

template <class Real, class Head>
std::complex<Real>* values_after(Head* head) noexcept {
  return reinterpret_cast<std::complex<Real>*>(reinterpret_cast<std::byte*>(head) +
                                               head_room<Head>);
}
template <class Real, class Head>
const std::complex<Real>* values_after(const Head* head) noexcept {
  return values_after<Real>(const_cast<Head*>(head));
}

/// Where the pieces of a round are written: behind heads, which are written here.
template <class Client, class Source, class Target>
Pieces<typename Client::Real> places_of(const Exchange<Source, Target>& exchange,
                                        const Source& self, std::int64_t round,
                                        const typename Client::Head& head,
                                        std::vector<std::complex<typename Client::Real>*>& places) {
  places.resize(static_cast<std::size_t>(exchange.links(self)));
  for (int k = 0; k < exchange.links(self); ++k) {
    auto* const piece = exchange.template place<typename Client::Head>(self, k, round);
    *piece = head;
    places[k] = values_after<typename Client::Real>(piece);
  }
  return places;
}

/// The pieces of a round that have come; `head` becomes theirs.
template <class Client, class Source, class Target>
ConstPieces<typename Client::Real> pieces_of(
    const Exchange<Source, Target>& exchange, const Target& self, std::int64_t round,
    typename Client::Head& head, std::vector<const std::complex<typename Client::Real>*>& pieces) {
  pieces.resize(static_cast<std::size_t>(exchange.sources(self)));
  for (int k = 0; k < exchange.sources(self); ++k) {
    const auto* const piece = exchange.template from<typename Client::Head>(self, k, round);
    head = *piece;
    pieces[k] = values_after<typename Client::Real>(piece);
  }
  return pieces;
}

/// Tells the client of a share of a pencil's work, if it wants to know.
template <class Client>
void count_work(const PencilGeometry& geometry, PencilAxis axis, const PencilIndex& index,
                double share) {
  if constexpr (ClientCountsWork<Client>) {
    const auto [i, j] = index;
    const auto [nx, ny, nz] = geometry.mesh();
    const double of_wave = 1.0 * nz / geometry.kept_z();
    double points = 0;
    if (axis == PencilAxis::z)
      points = 1.0 * geometry.x_part(i).size() * geometry.y_part_of_z(j).size() * nz;
    else if (axis == PencilAxis::y)
      points = of_wave * geometry.x_part(i).size() * geometry.kz_part(j).size() * ny;
    else
      points = of_wave * geometry.y_part_of_x(i).size() * geometry.kz_part(j).size() * nx;
    Client::worked(axis, points, share);
  }
}

}  // namespace detail

// ----- z -----

template <class Client>
ZPencil<Client>::ZPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index)
    : setup_(std::move(setup)),
      lines_(setup_->geometry, index),
      points_(setup_->client, index),
      awaited_(points_.awaited()) {
  if (awaited_ < 1)
    throw InputError(
        {.what = "a z-pencil awaits no message, so that its transforms never begin",
         .where = "pencil " + std::to_string(index[0]) + ", " + std::to_string(index[1]),
         .value = std::to_string(awaited_),
         .hint = "send each pencil a message in each round, if need be without points"});
}

template <class Client>
void ZPencil<Client>::points(Ref<const typename Client::Message> message) {
  const std::int64_t round = Client::round(*message);
  if (here_ == 0) {
    round_ = round;
    awaited_ = points_.awaited();
    head_ = Client::head(*message);
  } else if (round != round_ || here_ == awaited_) {
    refuse(round);
  }
  points_.add(std::move(message));
  if (++here_ == awaited_) forward();
}

template <class Client>
void ZPencil<Client>::refuse(std::int64_t round) const {
  const auto [i, j] = this->index();
  throw InternalError({.what = "points came to a z-pencil that has not answered the last ones",
                       .where = "pencil " + std::to_string(i) + ", " + std::to_string(j) +
                                ", round " + std::to_string(round_) + " with " +
                                std::to_string(here_) + " of " + std::to_string(awaited_) +
                                " messages",
                       .value = "round " + std::to_string(round),
                       .hint = "begin a round only with the answers to the last one, and let "
                               "awaited() be the number of messages"});
}

template <class Client>
void ZPencil<Client>::forward() {
  const PhaseTimer timer(Client::phase());
  const auto& exchange = setup_->exchanges.z_to_y;
  lines_.forward([&](int a, int b, auto* line) { points_.read_pair(a, b, line); },
                 detail::places_of<Client>(exchange, *this, round_, head_, at_.to));
  detail::count_work<Client>(setup_->geometry, PencilAxis::z, this->index(), 0.5);
  exchange.sent(*this, round_);
}

template <class Client>
void ZPencil<Client>::backward(std::int64_t round) {
  FG_DCHECK(round == round_);
  {
    const PhaseTimer timer(Client::phase());
    const auto& exchange = setup_->exchanges.y_to_z;
    lines_.backward(detail::pieces_of<Client>(exchange, *this, round, head_, at_.from),
                    [&](const auto* line, int a, int b) { points_.write_pair(line, a, b); });
    exchange.release(*this, round);
    detail::count_work<Client>(setup_->geometry, PencilAxis::z, this->index(), 0.5);
  }
  here_ = 0;
  points_.answer(round);
}

// ----- y -----

template <class Client>
YPencil<Client>::YPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index)
    : setup_(std::move(setup)), lines_(setup_->geometry, index) {}

template <class Client>
void YPencil<Client>::forward(std::int64_t round) {
  const PhaseTimer timer(Client::phase());
  const auto& [z_to_y, y_to_x, x_to_y, y_to_z] = setup_->exchanges;
  typename Client::Head head{};
  const auto pieces = detail::pieces_of<Client>(z_to_y, *this, round, head, at_.from);
  lines_.forward(pieces, detail::places_of<Client>(y_to_x, *this, round, head, at_.to));
  z_to_y.release(*this, round);
  detail::count_work<Client>(setup_->geometry, PencilAxis::y, this->index(), 0.5);
  y_to_x.sent(*this, round);
}

template <class Client>
void YPencil<Client>::backward(std::int64_t round) {
  const PhaseTimer timer(Client::phase());
  const auto& [z_to_y, y_to_x, x_to_y, y_to_z] = setup_->exchanges;
  typename Client::Head head{};
  const auto pieces = detail::pieces_of<Client>(x_to_y, *this, round, head, at_.from);
  lines_.backward(pieces, detail::places_of<Client>(y_to_z, *this, round, head, at_.to));
  x_to_y.release(*this, round);
  detail::count_work<Client>(setup_->geometry, PencilAxis::y, this->index(), 0.5);
  y_to_z.sent(*this, round);
}

// ----- x -----

template <class Client>
XPencil<Client>::XPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index)
    : setup_(std::move(setup)), lines_(setup_->geometry, index), waves_(setup_->client, index) {}

template <class Client>
void XPencil<Client>::forward(std::int64_t round) {
  const auto& exchanges = setup_->exchanges;
  typename Client::Head head{};
  {
    const PhaseTimer timer(Client::phase());
    lines_.forward(detail::pieces_of<Client>(exchanges.y_to_x, *this, round, head, at_.from));
    exchanges.y_to_x.release(*this, round);
  }
  waves_.change(round, head, lines_.waves());
  const PhaseTimer timer(Client::phase());
  lines_.backward(detail::places_of<Client>(exchanges.x_to_y, *this, round, head, at_.to));
  detail::count_work<Client>(setup_->geometry, PencilAxis::x, this->index(), 1);
  exchanges.x_to_y.sent(*this, round);
}

// ----- exchanges -----

namespace detail {

/// Connects each pencil of `from` with all pencils of `to` that differ from it only in the index
/// number `along`. `numbers(from, to)` is the length of a piece.
template <class Client, auto Entry, class From, class To, class Numbers>
Exchange<From, To> transpose(const Array<From>& from, const Array<To>& to, std::size_t along,
                             int pencils, Numbers&& numbers) {
  const auto links = [&](const PencilIndex& source) {
    std::vector<ExchangeCore::Link> result;
    PencilIndex target = source;
    for (int k = 0; k < pencils; ++k) {
      target[along] = k;
      result.push_back({to.ordinal(target),
                        head_room<typename Client::Head> +
                            numbers(source, target) * sizeof(std::complex<typename Client::Real>)});
    }
    return result;
  };
  // A pencil sends to another one again only after the other has answered, hence one round.
  return Exchange<From, To>::template make<Entry>(from, to, links,
                                                  {.lane = Client::lane, .window = 1});
}

}  // namespace detail

template <class Client>
void PencilExchanges<Client>::make(const PencilGeometry& geometry, const Pencils<Client>& pencils) {
  const auto& [z, y, x] = pencils;
  const auto between_zy = [&](const PencilIndex& of_z, const PencilIndex& of_y) {
    return zy_piece(geometry, of_z[0], of_z[1], of_y[1]);
  };
  const auto between_yz = [&](const PencilIndex& of_y, const PencilIndex& of_z) {
    return between_zy(of_z, of_y);
  };
  const auto between_yx = [&](const PencilIndex& of_y, const PencilIndex& of_x) {
    return yx_piece(geometry, of_y[1], of_y[0], of_x[0]);
  };
  const auto between_xy = [&](const PencilIndex& of_x, const PencilIndex& of_y) {
    return between_yx(of_y, of_x);
  };
  const auto [columns, rows] = geometry.grid();
  using detail::transpose;
  z_to_y = transpose<Client, &YPencil<Client>::forward>(z, y, 1, rows, between_zy);
  y_to_z = transpose<Client, &ZPencil<Client>::backward>(y, z, 1, rows, between_yz);
  y_to_x = transpose<Client, &XPencil<Client>::forward>(y, x, 0, columns, between_yx);
  x_to_y = transpose<Client, &YPencil<Client>::backward>(x, y, 0, columns, between_xy);
}

}  // namespace fg::fft
