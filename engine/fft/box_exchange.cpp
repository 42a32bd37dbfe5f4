// SPDX-License-Identifier: BSD-3-Clause
#include "fft/box_exchange.hpp"

#include <complex>

namespace fg::fft {

namespace {

/// Calls work(from, to) with pointers to real or complex numbers of these precisions.
template <class From, class To, class Work>
void with_types(bool real, const std::byte* from, std::byte* to, Work&& work) noexcept {
  if (real)
    work(reinterpret_cast<const From*>(from), reinterpret_cast<To*>(to));
  else
    work(reinterpret_cast<const std::complex<From>*>(from),
         reinterpret_cast<std::complex<To>*>(to));
}

template <class From, class To>
void copy_between(const GridBox& piece, bool real, const std::byte* from, const Layout& from_layout,
                  std::byte* to, const Layout& to_layout) noexcept {
  with_types<From, To>(real, from, to, [&](const auto* source, auto* target) {
    copy_piece(piece, source, from_layout, target, to_layout);
  });
}

/// What stays on its rank while other numbers travel as float.
void copy_as_float(const GridBox& piece, bool real, const std::byte* from,
                   const Layout& from_layout, std::byte* to, const Layout& to_layout) noexcept {
  if (real)
    copy_rounded<float>(piece, reinterpret_cast<const double*>(from), from_layout,
                        reinterpret_cast<double*>(to), to_layout);
  else
    copy_rounded<std::complex<float>>(piece, reinterpret_cast<const std::complex<double>*>(from),
                                      from_layout, reinterpret_cast<std::complex<double>*>(to),
                                      to_layout);
}

}  // namespace

template <class Real>
void copy_numbers(const GridBox& piece, bool real, const std::byte* from, const Layout& from_layout,
                  std::byte* to, const Layout& to_layout) noexcept {
  copy_between<Real, Real>(piece, real, from, from_layout, to, to_layout);
}

template <class Real>
BoxExchange<Real>::BoxExchange(std::span<const GridBox> from, std::span<const GridBox> to, int rank,
                               const Storage& before, const Storage& after, bool real, int batch,
                               Wire wire)
    : before_(before),
      after_(after),
      real_(real),
      batch_(batch),
      wire_(wire),
      pieces_(redistribute(from, to, rank)) {
  const std::size_t bytes_of_point =
      static_cast<std::size_t>(batch) * size_on_wire<Real>(real, wire);
  const auto parcels_of = [&](const std::vector<Piece>& pieces) {
    std::vector<Parcel> parcels;
    parcels.reserve(pieces.size());
    for (const Piece& piece : pieces)
      parcels.push_back({piece.rank, nullptr, piece.box.volume() * bytes_of_point});
    return parcels;
  };
  sends_ = parcels_of(pieces_.sends);
  receives_ = parcels_of(pieces_.receives);
}

template <class Real>
void BoxExchange<Real>::pack(std::size_t k, const std::byte* from,
                             std::byte* parcel) const noexcept {
  const auto copy = wire_ == Wire::exact ? copy_numbers<Real> : copy_between<Real, float>;
  const GridBox& box = pieces_.sends[k].box;
  for (int field = 0; field < batch_; ++field)
    copy(box, real_, from + distance(before_, field), before_.layout,
         parcel + offset(sends_[k], field), dense(box));
}

template <class Real>
void BoxExchange<Real>::unpack(std::size_t k, const std::byte* parcel,
                               std::byte* to) const noexcept {
  const auto copy = wire_ == Wire::exact ? copy_numbers<Real> : copy_between<float, Real>;
  const GridBox& box = pieces_.receives[k].box;
  for (int field = 0; field < batch_; ++field)
    copy(box, real_, parcel + offset(receives_[k], field), dense(box), to + distance(after_, field),
         after_.layout);
}

template <class Real>
void BoxExchange<Real>::keep(const std::byte* from, std::byte* to) const noexcept {
  const auto copy = wire_ == Wire::exact ? copy_numbers<Real> : copy_as_float;
  for (int field = 0; field < batch_; ++field)
    copy(pieces_.kept, real_, from + distance(before_, field), before_.layout,
         to + distance(after_, field), after_.layout);
}

template void copy_numbers<float>(const GridBox&, bool, const std::byte*, const Layout&, std::byte*,
                                  const Layout&) noexcept;
template void copy_numbers<double>(const GridBox&, bool, const std::byte*, const Layout&,
                                   std::byte*, const Layout&) noexcept;
template class BoxExchange<float>;
template class BoxExchange<double>;

}  // namespace fg::fft
