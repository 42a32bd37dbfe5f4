// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/column_exchange.hpp"

namespace fg::fft {

template <class Real>
ColumnExchange<Real>::ColumnExchange(const SpherePlan& plan, int rank, int fields, SphereEnd end)
    : rank_(rank), fields_(fields) {
  set_lines(plan, end);
  const ColumnRows rows(plan, rank, fields, end, sizeof(Complex));
  for (const auto& of_plane : rows.rows()) {
    auto& places = places_.emplace_back();
    places.reserve(of_plane.size());
    for (const ColumnRows::Row& row : of_plane) places.push_back(row.place);
  }
  for (const ColumnRows::Parcel& parcel : rows.parcels())
    if (parcel.rank != rank) {
      of_rows_.push_back({parcel.rank, nullptr, parcel.count});
      first_bytes_.push_back(parcel.first);
    }
  if (end == SphereEnd::rows) return;
  rows_.resize(rows.bytes());
  set_rows(rows_.data());
}

template <class Real>
void ColumnExchange<Real>::set_rows(std::byte* rows) noexcept {
  for (std::size_t k = 0; k < of_rows_.size(); ++k) of_rows_[k].data = rows + first_bytes_[k];
}

template <class Real>
void ColumnExchange<Real>::set_lines(const SpherePlan& plan, SphereEnd end) {
  const std::vector<SphereLine> lines = plan.lines_of(rank_);
  const int ranks = plan.ranks();
  for (int step = 0; step < ranks; ++step) {
    const int other = (rank_ + step) % ranks;
    const SlabTurns turns = turns_of(plan, other, end, sizeof(Complex));
    const Range z = plan.y_boxes()[static_cast<std::size_t>(other)].range(2);
    const std::size_t first = parts_.size(), before = room_for(of_lines_) / sizeof(Complex);
    for (std::size_t l = 0; l < lines.size(); ++l)
      if (crosses(plan, lines[l], other))
        parts_.push_back(
            {l, other, parts_.size() - first, 0, step == 0 ? 0 : before, z, turns.width});
    const std::size_t count = parts_.size() - first;
    for (std::size_t k = first; k < parts_.size(); ++k) parts_[k].lines = count;
    const std::size_t bytes = count * static_cast<std::size_t>(fields_) *
                              static_cast<std::size_t>(turns.turns) *
                              static_cast<std::size_t>(turns.width) * sizeof(Complex);
    if (step > 0 && bytes > 0) of_lines_.push_back({other, nullptr, bytes});
  }
  lines_.resize(room_for(of_lines_));
  place(of_lines_, lines_.data());
}

template <class Real>
void ColumnExchange<Real>::add_stretches_to(ColumnLines<Real>& lines) const {
  for (const Part& part : parts_) {
    const std::size_t row =
        static_cast<std::size_t>(fields_) * static_cast<std::size_t>(part.width);
    lines.add(part.line, {part.rank == rank_, part.before + part.index * row, part.z.begin,
                          part.z.size(), part.width, part.lines * row});
  }
}

template class ColumnExchange<float>;
template class ColumnExchange<double>;

}  // namespace fg::fft
