// SPDX-License-Identifier: BSD-3-Clause
#include "fft/box_exchange.hpp"

namespace fg::fft {

template <class Real>
void copy_numbers(const GridBox& piece, bool real, const std::byte* from, const Layout& from_layout,
                  std::byte* to, const Layout& to_layout) noexcept {
  using Complex = std::complex<Real>;
  if (real)
    copy_piece(piece, reinterpret_cast<const Real*>(from), from_layout, reinterpret_cast<Real*>(to),
               to_layout);
  else
    copy_piece(piece, reinterpret_cast<const Complex*>(from), from_layout,
               reinterpret_cast<Complex*>(to), to_layout);
}

template <class Real>
BoxExchange<Real>::BoxExchange(std::span<const GridBox> from, std::span<const GridBox> to, int rank,
                               const Storage& before, const Storage& after, bool real, int batch)
    : before_(before),
      after_(after),
      real_(real),
      batch_(batch),
      pieces_(redistribute(from, to, rank)) {
  const std::size_t bytes_of_point = static_cast<std::size_t>(batch) * element_size<Real>(real);
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
void BoxExchange<Real>::pack(const std::byte* from, std::byte* to) const noexcept {
  for (int field = 0; field < batch_; ++field) {
    const std::byte* const numbers = from + distance(before_, field);
    for (std::size_t k = 0; k < sends_.size(); ++k) {
      const GridBox& box = pieces_.sends[k].box;
      copy_numbers<Real>(box, real_, numbers, before_.layout,
                         sends_[k].data + offset(sends_[k], field), dense(box));
    }
    copy_numbers<Real>(pieces_.kept, real_, numbers, before_.layout, to + distance(after_, field),
                       after_.layout);
  }
}

template <class Real>
void BoxExchange<Real>::unpack(std::size_t k, std::byte* to) const noexcept {
  const GridBox& box = pieces_.receives[k].box;
  for (int field = 0; field < batch_; ++field)
    copy_numbers<Real>(box, real_, receives_[k].data + offset(receives_[k], field), dense(box),
                       to + distance(after_, field), after_.layout);
}

template void copy_numbers<float>(const GridBox&, bool, const std::byte*, const Layout&, std::byte*,
                                  const Layout&) noexcept;
template void copy_numbers<double>(const GridBox&, bool, const std::byte*, const Layout&,
                                   std::byte*, const Layout&) noexcept;
template class BoxExchange<float>;
template class BoxExchange<double>;

}  // namespace fg::fft
