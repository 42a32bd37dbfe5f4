// SPDX-License-Identifier: BSD-3-Clause
#include "fft/rank_program.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace fg::fft {

namespace {

bool is_dense(const Layout& layout) noexcept {
  return layout.stride == dense(layout.box).stride;
}

/// A step before it is known where its numbers lie: a pass if `axis` is not negative, else an
/// exchange.
struct Outline {
  int axis;
  const std::vector<GridBox>* from;
  const std::vector<GridBox>* to;
  bool from_real, to_real;
};

std::vector<Outline> outline(const TransformPlan& plan, Direction direction) {
  std::vector<Outline> steps;
  const std::vector<GridBox>* boxes = nullptr;
  bool real = plan.boxes().kind == Kind::real;
  for (const Stage& stage : plan.stages()) {
    if (boxes != nullptr) steps.push_back({-1, boxes, &stage.before, real, real});
    boxes = &stage.before;
    for (const int axis : stage.axes) {
      const auto* after = real ? &stage.after : boxes;
      steps.push_back({axis, boxes, after, real, false});
      boxes = after;
      real = false;
    }
  }
  if (direction == Direction::backward) {
    std::reverse(steps.begin(), steps.end());
    for (Outline& step : steps) {
      std::swap(step.from, step.to);
      std::swap(step.from_real, step.to_real);
    }
  }
  return steps;
}

Slot work_slot(const Slot& not_this, bool real, const GridBox& box) {
  const Where where = not_this.where == Where::first_work ? Where::second_work : Where::first_work;
  return {where, real, {dense(box), box.empty() ? 0 : box.volume()}};
}

/// Elements from one plane of x to the next.
std::ptrdiff_t planes_apart(const Slot& slot) noexcept {
  const bool apart = slot.where != Where::plane && slot.where != Where::pieces;
  return apart ? slot.storage.layout.stride[0] : 0;
}

template <class Real>
typename RankProgram<Real>::Pass pass_between(int axis, Direction direction, const Slot& from,
                                              const Slot& to) {
  typename RankProgram<Real>::Pass pass{from, to, {}, {}};
  const GridBox& box = from.storage.layout.box;
  if (box.empty()) return pass;
  const bool by_planes = axis != 0;  // of x
  pass.planes = by_planes ? box.size(0) : 1;
  if (by_planes) {
    pass.from_apart = planes_apart(from);
    pass.to_apart = planes_apart(to);
  }
  if (from.real || to.real) {
    const GridBox& points = from.real ? box : to.storage.layout.box;
    pass.real_lines.emplace_back(points.size(axis), points.size(1));
    return pass;
  }
  const int a = by_planes ? 0 : 1, b = axis == 2 ? 1 : 2;
  const auto lines_of = [&](const Layout& layout) {
    const auto stride = [&](int of) { return static_cast<int>(layout.stride[of]); };
    return LineLayout{stride(axis), stride(b), stride(a)};
  };
  pass.lines.emplace_back(LineBatch{box.size(axis), box.size(b), by_planes ? 1 : box.size(a),
                                    lines_of(from.storage.layout), lines_of(to.storage.layout)},
                          direction);
  return pass;
}

/// Whether the steps from this one on are transforms of one array, which may then be in place.
bool ends_in_place(std::span<const Outline> steps) noexcept {
  return std::all_of(steps.begin(), steps.end(), [](const Outline& step) {
    return step.axis >= 0 && !step.from_real && !step.to_real;
  });
}

/// Where the parts of a direct exchange are among its pieces, in bytes. The parts are what it
/// sends, what stays here, and what arrives.
struct PlacesOfPieces {
  std::size_t own, receives, end;

  template <class Real>
  static PlacesOfPieces of(const BoxExchange<Real>& exchange, int batch) noexcept {
    const GridBox& kept = exchange.pieces().kept;
    const std::size_t bytes =
        kept.empty() ? 0
                     : kept.volume() * static_cast<std::size_t>(batch) * element_size<Real>(false);
    const std::size_t own = room_for(exchange.sends());
    const std::size_t receives = own + round_up(bytes, simd_alignment);
    return {own, receives, receives + room_for(exchange.receives())};
  }
};

/// What the passes before and after a direct exchange write and read.
struct DirectPieces {
  CutPieces before, after;
};

/// For the exchange at outlines[place]; nothing if it cannot be direct.
template <class Real>
std::optional<DirectPieces> direct_pieces(std::span<const Outline> outlines, std::size_t place,
                                          int rank, int batch) {
  const Outline& step = outlines[place];
  if (step.axis >= 0 || step.from_real || place == 0 || place + 1 == outlines.size()) return {};
  const int first = outlines[place - 1].axis, second = outlines[place + 1].axis;
  if (!(first == 1 && second == 0) && !(first == 0 && second == 1)) return {};
  const auto mine = static_cast<std::size_t>(rank);
  const BoxExchange<Real> exchange(*step.from, *step.to, rank, {}, {}, false, batch);
  const Redistribution& pieces = exchange.pieces();
  const PlacesOfPieces at = PlacesOfPieces::of(exchange, batch);
  constexpr std::size_t element = element_size<Real>(false);
  if (at.end / element > std::numeric_limits<std::int32_t>::max()) return {};
  DirectPieces result{CutPieces((*step.from)[mine], first), CutPieces((*step.to)[mine], second)};
  bool fit = true;
  const auto add = [&](CutPieces& side, const GridBox& box, std::size_t byte) {
    if (box.empty()) return;
    fit = fit && side.fits(box);
    side.add(box, static_cast<std::int32_t>(byte / element));
  };
  const auto add_all = [&](CutPieces& side, const std::vector<Piece>& boxes,
                           const std::vector<Parcel>& parcels, std::size_t byte) {
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      add(side, boxes[k].box, byte);
      byte += round_up(parcels[k].bytes, simd_alignment);
    }
  };
  add_all(result.before, pieces.sends, exchange.sends(), 0);
  add(result.before, pieces.kept, at.own);
  add(result.after, pieces.kept, at.own);
  add_all(result.after, pieces.receives, exchange.receives(), at.receives);
  if (!fit) return {};
  return result;
}

}  // namespace

template <class Real>
RankProgram<Real>::RankProgram(const TransformPlan& plan, int rank, int batch, Direction direction,
                               const Storage& from, const Storage& to, Wire wire, bool direct) {
  const auto mine = static_cast<std::size_t>(rank);
  const std::vector<Outline> outlines = outline(plan, direction);
  std::vector<std::optional<DirectPieces>> pieces(outlines.size() + 1);
  for (std::size_t k = 0; k < outlines.size() && direct && wire == Wire::exact; ++k)
    pieces[k] = direct_pieces<Real>(outlines, k, rank, batch);
  Slot now{Where::from, outlines.front().from_real, from};
  const auto move_to = [&](const Slot& next) {
    steps.push_back(Move{now, next});
    now = next;
  };
  for (const Outline& step : outlines) {
    const GridBox& box = (*step.to)[mine];
    const bool last = &step == &outlines.back();
    const Slot end{Where::to, step.to_real, to};
    // Real lines are dense; other layouts of the user go through a copy.
    if (step.axis >= 0 && step.from_real && !is_dense(now.storage.layout))
      move_to(work_slot(now, true, now.storage.layout.box));
    const bool through_copy = last && step.axis >= 0 && step.to_real && !is_dense(to.layout);
    const bool in_place = step.axis >= 0 && !step.from_real && !step.to_real &&
                          (now.where == Where::first_work || now.where == Where::second_work);
    const std::size_t place = static_cast<std::size_t>(&step - outlines.data());
    const bool passes_follow = place + 1 < outlines.size() && outlines[place + 1].axis >= 0;
    // The passes along z and y on the same side of a direct exchange share a plane.
    const bool to_plane =
        step.axis >= 0 && passes_follow &&
        (now.where == Where::pieces ? step.axis == 1 : pieces[place + 2].has_value());
    // `from` and `to` may be one array: then only a pass between equal layouts joins them.
    const bool may_join =
        now.where != Where::from || (step.axis >= 0 && !now.real && now.storage == to);
    const bool fits = step.axis < 0 || !step.from_real || is_dense(to.layout);
    const bool to_end =
        may_join && fits && !step.to_real && ends_in_place(std::span(outlines).subspan(place + 1));
    Slot next = work_slot(now, step.to_real, box);
    if (in_place) next = now;
    if (now.where == Where::to || to_end || (last && !through_copy)) next = end;
    if (to_plane) next = {Where::plane, step.to_real, {dense(box), 0}};
    if (pieces[place] || pieces[place + 1]) next = {Where::pieces, false, {dense(box), 0}};
    if (step.axis >= 0) {
      Pass pass = pass_between<Real>(step.axis, direction, now, next);
      if (now.where == Where::pieces) pass.from_pieces = pieces[place - 1]->after;
      if (next.where == Where::pieces) pass.to_pieces = pieces[place + 1]->before;
      steps.push_back(std::move(pass));
    } else {
      steps.push_back(Exchange{now, next,
                               BoxExchange<Real>(*step.from, *step.to, rank, now.storage,
                                                 next.storage, now.real, batch, wire),
                               pieces[place].has_value()});
    }
    now = next;
    if (through_copy) move_to(end);
  }
}

template <class Real>
void RankProgram<Real>::need(Memory& memory, int batch) const noexcept {
  const auto raise = [](std::size_t& most, std::size_t amount) { most = std::max(most, amount); };
  const auto work = [&](const Slot& slot) {
    const std::size_t number = element_size<Real>(slot.real);
    const GridBox& box = slot.storage.layout.box;
    if (slot.where == Where::plane && !box.empty())
      raise(memory.plane,
            static_cast<std::size_t>(box.size(1)) * static_cast<std::size_t>(box.size(2)) * number);
    if (slot.where == Where::first_work || slot.where == Where::second_work)
      raise(memory.work[slot.where == Where::second_work ? 1 : 0],
            slot.storage.distance * static_cast<std::size_t>(batch) * number);
  };
  for (const Step& step : steps)
    std::visit(
        [&]<class Kind>(const Kind& one) {
          work(one.from);
          work(one.to);
          if constexpr (std::is_same_v<Kind, Pass>) {
            if (one.from_pieces) raise(memory.places, one.from_pieces->points());
            if (one.to_pieces) raise(memory.places, one.to_pieces->points());
          }
          if constexpr (std::is_same_v<Kind, Exchange>) {
            if (one.direct) {
              raise(memory.pieces, PlacesOfPieces::of(one.boxes, batch).end);
            } else {
              raise(memory.packed, room_for(one.boxes.sends()));
              raise(memory.arrived, room_for(one.boxes.receives()));
            }
          }
        },
        step);
}

template <class Real>
void RankProgram<Real>::place_parcels(int batch, std::byte* pieces, std::byte* packed,
                                      std::byte* arrived) noexcept {
  for (Step& step : steps)
    if (auto* exchange = std::get_if<Exchange>(&step)) {
      BoxExchange<Real>& boxes = exchange->boxes;
      if (exchange->direct)
        boxes.place_parcels(pieces, pieces + PlacesOfPieces::of(boxes, batch).receives);
      else
        boxes.place_parcels(packed, arrived);
    }
}

template struct RankProgram<float>;
template struct RankProgram<double>;

}  // namespace fg::fft
