// SPDX-License-Identifier: BSD-3-Clause
//
// What a client of the pencils gives them: a type with these members, checked when pencils are
// made. Its objects know what the points and the waves mean; the pencils do not.
//
//   struct Client {                          // copied into all pencils of a process
//     using Real = float;                    // or double
//     using Head = ...;                      // travels with the waves of a round; at most 1 kB
//     using Message = ...;                   // derived from fg::Message; brings points
//     using Points = ...;                    // one object for each z-pencil
//     using Waves = ...;                     // one object for each x-pencil
//     static constexpr Lane lane = ...;      // of the exchanges
//     static std::int64_t round(const Message&);
//     static Head head(const Message&);      // of the first message of a round
//     static const Phase& phase();           // where the time of the transforms is counted
//     // Optional: a pencil has done this share of its work of a round, and sends next. `points` is
//     // its part of the mesh: waves count as the points from which they come.
//     static void worked(PencilAxis, double points, double share);
//   };
//   struct Points {                          // real lines along z, stored as the client likes
//     Points(const Client&, PencilIndex);
//     int awaited() const;                   // messages of a round, at least one; fixed in a run
//     void add(Ref<const Message>);
//     void read_pair(int a, int b, Complex* line) noexcept;          // line = a + ib
//     void write_pair(const Complex* line, int a, int b) noexcept;
//     void answer(std::int64_t round);       // when all pairs have been written
//   };
//   struct Waves {
//     Waves(const Client&, PencilIndex);
//     void change(std::int64_t round, const Head&, Complex* waves);  // as in XPencilLines
//   };
//
// Messages come in any order, so a sum of points has to be exact, or wait for all of them. When a
// pencil has moved to another process, its Points and Waves are new ones. So between two rounds
// they know nothing that a head does not tell.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "fft/pencil_geometry.hpp"
#include "runtime/runtime.hpp"

namespace fg::fft {

/// The room for a head at the begin of a piece: the numbers after it begin a cache line.
template <class Head>
inline constexpr std::size_t head_room = (sizeof(Head) + 63) / 64 * 64;

enum class PencilAxis : std::uint8_t { x, y, z };

template <class C>
concept ClientCountsWork =
    requires(PencilAxis axis, double points) { C::worked(axis, points, 1.0); };

template <class C>
concept ClientHasTypes =
    requires {
      typename C::Head;
      typename C::Message;
      typename C::Points;
      typename C::Waves;
    } && (std::same_as<typename C::Real, float> || std::same_as<typename C::Real, double>) &&
    std::derived_from<typename C::Message, Message>;

template <class C>
concept ClientHeadTravels = std::is_trivially_copyable_v<typename C::Head> &&
                            std::default_initializable<typename C::Head> &&
                            alignof(typename C::Head) <= 64 && sizeof(typename C::Head) <= 1024;

template <class C>
concept ClientDescribesRounds = requires(const typename C::Message& message) {
  { C::round(message) } -> std::same_as<std::int64_t>;
  { C::head(message) } -> std::same_as<typename C::Head>;
  { C::lane } -> std::convertible_to<Lane>;
  { C::phase() } -> std::same_as<const Phase&>;
};

template <class C>
concept ClientHasPoints =
    std::constructible_from<typename C::Points, const C&, PencilIndex> &&
    requires(typename C::Points points, const typename C::Points fixed,
             Ref<const typename C::Message> message, std::complex<typename C::Real>* line,
             const std::complex<typename C::Real>* result, std::int64_t round, int a) {
      { fixed.awaited() } -> std::same_as<int>;
      points.add(std::move(message));
      { points.read_pair(a, a, line) } noexcept;
      { points.write_pair(result, a, a) } noexcept;
      points.answer(round);
    };

template <class C>
concept ClientChangesWaves =
    std::constructible_from<typename C::Waves, const C&, PencilIndex> &&
    requires(typename C::Waves waves, std::int64_t round, const typename C::Head& head,
             std::complex<typename C::Real>* values) { waves.change(round, head, values); };

template <class C>
concept PencilClient = ClientHasTypes<C> && ClientHeadTravels<C> && ClientDescribesRounds<C> &&
                       ClientHasPoints<C> && ClientChangesWaves<C>;

/// Does not compile unless C is a PencilClient, and says what it lacks.
template <class C>
consteval bool require_pencil_client() {
  static_assert(ClientHasTypes<C>,
                "a client of pencils has the types Real (float or double), Head, Message (derived "
                "from fg::Message), Points and Waves");
  static_assert(ClientHeadTravels<C>,
                "the head of a client is copied byte by byte: trivially copyable, with a default, "
                "at most 1024 bytes, aligned to at most 64");
  static_assert(ClientDescribesRounds<C>,
                "a client of pencils has round(message), head(message), lane and phase(), all "
                "static");
  static_assert(ClientHasPoints<C>,
                "Points of a client is made from (client, pencil index) and has awaited(), "
                "add(message), read_pair(a, b, line) and write_pair(line, a, b), both noexcept, "
                "and answer(round)");
  static_assert(ClientChangesWaves<C>,
                "Waves of a client is made from (client, pencil index) and has change(round, head, "
                "waves)");
  return PencilClient<C>;
}

}  // namespace fg::fft
