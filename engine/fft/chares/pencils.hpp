// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions of a real mesh by pencils along z, y and x as chares of their own, which may be on
// any PEs. In a round clients send points to the z-pencils. When a z-pencil has all messages that
// it awaits, its waves go to y- and x-pencils. The client changes them, they come back, and the
// client answers from the z-pencils. No message is made between pencils (runtime/exchange.hpp).
// Everything that the client gives is known to the compiler (pencil_client.hpp).
//
//   const auto pencils = create_pencils(geometry, Client{...}, create);
//   ...
//   pencils.z[index].send<&ZPencil<Client>::points>(std::move(message), Client::lane);
//
// Rounds are numbered in ascending order, for example by time steps. Who sends to a z-pencil sends
// for the next round only after it has this pencil's answer for the present one. So no round can
// overtake another.
//
// One source of each client includes pencils-inl.hpp, which has the definitions, and instantiates
// ZPencil, YPencil, XPencil and PencilExchanges.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "fft/chares/pencil_client.hpp"
#include "fft/pencils/pencil_lines.hpp"
#include "runtime/runtime.hpp"

namespace fg::fft {

template <class Client>
class ZPencil;
template <class Client>
class YPencil;
template <class Client>
class XPencil;

/// The handle: the arrays, each with the shape of the geometry's grid.
template <class Client>
struct Pencils {
  static_assert(require_pencil_client<Client>());

  Array<ZPencil<Client>> z{};
  Array<YPencil<Client>> y{};
  Array<XPencil<Client>> x{};
};

/// The four transposes, each with one round in a round of the pencils. They go from z-pencils to
/// the y-pencils of their row, from y-pencils to the x-pencils of their column, and back.
template <class Client>
struct PencilExchanges {
  Exchange<ZPencil<Client>, YPencil<Client>> z_to_y{};
  Exchange<YPencil<Client>, XPencil<Client>> y_to_x{};
  Exchange<XPencil<Client>, YPencil<Client>> x_to_y{};
  Exchange<YPencil<Client>, ZPencil<Client>> y_to_z{};

  /// Called by all processes, after the pencils have been created.
  void make(const PencilGeometry& geometry, const Pencils<Client>& pencils);
};

/// What all pencils of a client share.
template <class Client>
struct PencilSetup {
  PencilGeometry geometry;
  Client client;
  PencilExchanges<Client> exchanges{};
};

namespace detail {

/// The places of the pieces of a round of one pencil, in memory that it keeps.
template <class Real>
struct RoundPlaces {
  std::vector<const std::complex<Real>*> from;
  std::vector<std::complex<Real>*> to;
};

}  // namespace detail

/// Has the points of the client.
template <class Client>
class ZPencil final : public Chare<ZPencil<Client>, 2> {
 public:
  static constexpr std::string_view array_name = "z-pencils";
  /// Throws InputError if the client awaits no message.
  ZPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index);

  /// Clients send it. Throws InternalError for a message of another round than the present one, or
  /// one too many.
  void points(Ref<const typename Client::Message> message);
  void backward(std::int64_t round);  // from all y-pencils of the row

  void archive(Archive&) override {}  // no message is in flight between two rounds

 private:
  void forward();
  [[noreturn]] void refuse(std::int64_t round) const;

  std::shared_ptr<const PencilSetup<Client>> setup_;
  ZPencilLines<typename Client::Real> lines_;
  detail::RoundPlaces<typename Client::Real> at_;
  typename Client::Points points_;
  int awaited_;
  int here_ = 0;  // messages of this round
  std::int64_t round_ = 0;
  typename Client::Head head_{};
};

template <class Client>
class YPencil final : public Chare<YPencil<Client>, 2> {
 public:
  static constexpr std::string_view array_name = "y-pencils";
  YPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index);

  void forward(std::int64_t round);   // from all z-pencils of the row
  void backward(std::int64_t round);  // from all x-pencils of the column

  void archive(Archive&) override {}  // no message is in flight between two rounds

 private:
  std::shared_ptr<const PencilSetup<Client>> setup_;
  YPencilLines<typename Client::Real> lines_;
  detail::RoundPlaces<typename Client::Real> at_;
};

/// Has the waves, which the client changes.
template <class Client>
class XPencil final : public Chare<XPencil<Client>, 2> {
 public:
  static constexpr std::string_view array_name = "x-pencils";
  XPencil(std::shared_ptr<const PencilSetup<Client>> setup, PencilIndex index);

  void forward(std::int64_t round);  // from all y-pencils of the column

  void archive(Archive&) override {}  // no message is in flight between two rounds

 private:
  std::shared_ptr<const PencilSetup<Client>> setup_;
  XPencilLines<typename Client::Real> lines_;
  detail::RoundPlaces<typename Client::Real> at_;
  typename Client::Waves waves_;
};

/// Makes and connects the pencils; called by all processes before a run.
/// `create.template operator()<C>(shape, factory)` makes an array, like Runtime::create_array with
/// a map of the caller's choice.
template <class Client, class Create>
Pencils<Client> create_pencils(const PencilGeometry& geometry, Client client, Create&& create) {
  auto setup = std::make_shared<PencilSetup<Client>>(
      PencilSetup<Client>{.geometry = geometry, .client = std::move(client)});
  const auto make = [&]<class C>() {
    return create.template operator()<C>(
        geometry.grid(),
        [shared = std::shared_ptr<const PencilSetup<Client>>(setup)](const PencilIndex& index) {
          return std::make_unique<C>(shared, index);
        });
  };
  Pencils<Client> pencils;
  pencils.z = make.template operator()<ZPencil<Client>>();
  pencils.y = make.template operator()<YPencil<Client>>();
  pencils.x = make.template operator()<XPencil<Client>>();
  setup->exchanges.make(geometry, pencils);
  return pencils;
}

}  // namespace fg::fft
