// SPDX-License-Identifier: BSD-3-Clause
#include "fft/rank_program.hpp"

#include <algorithm>
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

template <class Real>
typename RankProgram<Real>::Pass pass_between(int axis, Direction direction, const Slot& from,
                                              const Slot& to) {
  typename RankProgram<Real>::Pass pass{from, to, {}, {}};
  const GridBox& box = from.storage.layout.box;
  if (box.empty()) return pass;
  const bool by_planes = axis != 0;  // of x
  pass.planes = by_planes ? box.size(0) : 1;
  if (by_planes) {
    pass.from_apart = from.storage.layout.stride[0];
    pass.to_apart = to.storage.layout.stride[0];
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

}  // namespace

template <class Real>
RankProgram<Real>::RankProgram(const TransformPlan& plan, int rank, int batch, Direction direction,
                               const Storage& from, const Storage& to) {
  const auto mine = static_cast<std::size_t>(rank);
  const std::vector<Outline> outlines = outline(plan, direction);
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
                          now.where != Where::from && now.where != Where::to;
    const std::size_t place = static_cast<std::size_t>(&step - outlines.data());
    // `from` and `to` may be one array: then only a pass between equal layouts joins them.
    const bool may_join =
        now.where != Where::from || (step.axis >= 0 && !now.real && now.storage == to);
    const bool fits = step.axis < 0 || !step.from_real || is_dense(to.layout);
    const bool to_end =
        may_join && fits && !step.to_real && ends_in_place(std::span(outlines).subspan(place + 1));
    Slot next = work_slot(now, step.to_real, box);
    if (in_place) next = now;
    if (now.where == Where::to || to_end || (last && !through_copy)) next = end;
    if (step.axis >= 0) {
      steps.push_back(pass_between<Real>(step.axis, direction, now, next));
    } else {
      steps.push_back(Exchange{now, next,
                               BoxExchange<Real>(*step.from, *step.to, rank, now.storage,
                                                 next.storage, now.real, batch)});
    }
    now = next;
    if (through_copy) move_to(end);
  }
}

template <class Real>
void RankProgram<Real>::need(Memory& memory, int batch) const noexcept {
  const auto raise = [](std::size_t& most, std::size_t bytes) { most = std::max(most, bytes); };
  const auto work = [&](const Slot& slot) {
    if (slot.where == Where::from || slot.where == Where::to) return;
    raise(memory.work[slot.where == Where::second_work ? 1 : 0],
          slot.storage.distance * static_cast<std::size_t>(batch) * element_size<Real>(slot.real));
  };
  for (const Step& step : steps)
    std::visit(
        [&]<class Kind>(const Kind& one) {
          work(one.from);
          work(one.to);
          if constexpr (std::is_same_v<Kind, Exchange>) {
            raise(memory.packed, room_for(one.boxes.sends()));
            raise(memory.arrived, room_for(one.boxes.receives()));
          }
        },
        step);
}

template <class Real>
void RankProgram<Real>::place_parcels(std::byte* packed, std::byte* arrived) noexcept {
  for (Step& step : steps)
    if (auto* exchange = std::get_if<Exchange>(&step))
      exchange->boxes.place_parcels(packed, arrived);
}

template struct RankProgram<float>;
template struct RankProgram<double>;

}  // namespace fg::fft
