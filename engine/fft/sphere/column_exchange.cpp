// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/column_exchange.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"

namespace fg::fft {

namespace {

/// Whether the box has points of the line; x is counted in planes.
bool crosses(const SpherePlan& plan, const SphereLine& line, const GridBox& box) {
  return !box.empty() && box.range(0).contains(plan.plane_at(line.x));
}

}  // namespace

template <class Real>
ColumnExchange<Real>::ColumnExchange(const SpherePlan& plan, int rank, int fields)
    : rank_(rank), fields_(fields) {
  set_lines(plan);
  set_rows(plan);
}

template <class Real>
void ColumnExchange<Real>::set_lines(const SpherePlan& plan) {
  const std::vector<SphereLine> lines = plan.lines_of(rank_);
  const int ranks = plan.ranks();
  for (int step = 0; step < ranks; ++step) {
    const int other = (rank_ + step) % ranks;
    const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(other)];
    std::size_t count = 0;
    for (std::size_t l = 0; l < lines.size(); ++l)
      if (crosses(plan, lines[l], box)) parts_.push_back({l, other, count++, box.range(2)});
    const std::size_t bytes = count * static_cast<std::size_t>(fields_) *
                              static_cast<std::size_t>(box.size(2)) * sizeof(Complex);
    if (step == 0)
      kept_ = bytes;
    else if (bytes > 0)
      of_lines_.push_back({other, nullptr, bytes});
  }
  lines_.resize(room_for(of_lines_));
  place(of_lines_, lines_.data());
}

template <class Real>
void ColumnExchange<Real>::set_rows(const SpherePlan& plan) {
  const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(rank_)];
  if (box.empty()) return;
  const std::size_t row = static_cast<std::size_t>(fields_) * static_cast<std::size_t>(box.size(2));
  places_.assign(static_cast<std::size_t>(box.size(0)),
                 std::vector<std::int32_t>(static_cast<std::size_t>(box.size(1)), -1));
  std::size_t bytes = 0;  // where the next parcel begins
  for (int step = 0; step < plan.ranks(); ++step) {
    const int other = (rank_ + step) % plan.ranks();
    std::size_t next = bytes / sizeof(Complex);
    for (const SphereLine& line : plan.lines_of(other)) {
      if (!crosses(plan, line, box)) continue;
      if (next > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw InputError({.what = "the columns of a batch are too many numbers for one rank",
                          .value = "more than " + std::to_string(next),
                          .limit = std::to_string(std::numeric_limits<std::int32_t>::max()),
                          .hint = "use a smaller batch or more ranks"});
      const int plane = plan.plane_at(line.x) - box.low[0];
      places_[static_cast<std::size_t>(plane)][static_cast<std::size_t>(line.y)] =
          static_cast<std::int32_t>(next);
      next += row;
    }
    const std::size_t of_parcel = next * sizeof(Complex) - bytes;
    if (step > 0 && of_parcel > 0) of_rows_.push_back({other, nullptr, of_parcel});
    bytes += round_up(of_parcel, simd_alignment);
  }
  rows_.resize(bytes);
  place(of_rows_, rows_.data() + round_up(kept_, simd_alignment));
}

template <class Real>
void ColumnExchange<Real>::add_stretches_to(ColumnLines<Real>& lines) noexcept {
  std::size_t k = 0;  // the parcel of this part
  for (const Part& part : parts_) {
    std::byte* data = rows_.data();
    if (part.rank != rank_) {
      while (of_lines_[k].rank != part.rank) ++k;
      data = of_lines_[k].data;
    }
    const std::size_t before =
        part.index * static_cast<std::size_t>(fields_) * static_cast<std::size_t>(part.z.size());
    lines.add(part.line, {reinterpret_cast<Complex*>(data) + before, part.z.begin, part.z.size()});
  }
}

template class ColumnExchange<float>;
template class ColumnExchange<double>;

}  // namespace fg::fft
