// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/transform_array.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace fg::fft {

template <class Real>
Storage TransformSetup<Real>::storage(int part, bool points) const {
  const auto& chosen = points ? settings.points : settings.waves;
  if (chosen) return chosen(part);
  const TransformBoxes& boxes = settings.plan->boxes();
  return dense_storage((points ? boxes.in : boxes.out)[static_cast<std::size_t>(part)]);
}

template <class Real>
std::size_t TransformSetup<Real>::field_bytes(int part, bool points) const {
  const bool real = points && settings.plan->boxes().kind == Kind::real;
  return extent_of(storage(part, points), settings.batch) * element_size<Real>(real);
}

namespace {

/// A part's neighbours in the exchange between two stages, forward.
struct Neighbours {
  std::vector<Piece> sends, receives;
};

std::vector<Neighbours> neighbours_after(const TransformPlan& plan, std::size_t stage) {
  std::vector<Neighbours> all;
  const auto &from = plan.stages()[stage].after, &to = plan.stages()[stage + 1].before;
  for (int part = 0; part < plan.ranks(); ++part) {
    Redistribution pieces = redistribute(from, to, part);
    all.push_back({std::move(pieces.sends), std::move(pieces.receives)});
  }
  return all;
}

/// Whether a part is never more than one round of an exchange ahead of another. Each wave depends
/// on all points, and each point on all waves. So a part that has both has finished a transform
/// only after all others have begun it.
bool parts_keep_pace(const TransformBoxes& boxes) {
  const auto empty = [](const GridBox& box) { return box.empty(); };
  return std::none_of(boxes.in.begin(), boxes.in.end(), empty) &&
         std::none_of(boxes.out.begin(), boxes.out.end(), empty);
}

/// First what is sent, in the order of RankTransform. Then, with `answers`, empty pieces for
/// those that only send here, which keep the pace too.
std::vector<ExchangeCore::Link> links_of(const std::vector<Piece>& sends,
                                         const std::vector<Piece>& answers, std::size_t bytes,
                                         int window, int place) {
  std::vector<ExchangeCore::Link> links;
  const auto link = [&](int part, std::size_t size) {
    links.push_back({part * window + place, size});
  };
  for (const Piece& piece : sends) link(piece.rank, piece.box.volume() * bytes);
  for (const Piece& piece : answers)
    if (std::none_of(sends.begin(), sends.end(),
                     [&](const Piece& one) { return one.rank == piece.rank; }))
      link(piece.rank, 0);
  return links;
}

template <class Real>
void make_exchanges(TransformSetup<Real>& setup, const Array<TransformPart<Real>>& parts) {
  using Part = TransformPart<Real>;
  const TransformPlan& plan = *setup.settings.plan;
  const int window = setup.settings.window;
  const std::size_t count = plan.stages().size() - 1;
  const bool keep_pace = parts_keep_pace(plan.boxes());
  setup.exchanges.resize(2 * count);
  for (std::size_t stage = 0; stage < count; ++stage) {
    const std::vector<Neighbours> neighbours = neighbours_after(plan, stage);
    const std::size_t bytes = element_size<Real>(plan.stages()[stage].leaves_real) *
                              static_cast<std::size_t>(setup.settings.batch);
    const auto make = [&](bool forward) {
      return Exchange<Part, Part>::template make<&Part::exchanged>(
          parts, parts,
          [&](const std::array<int, 2>& source) {
            const auto& [sends, receives] = neighbours[static_cast<std::size_t>(source[0])];
            const auto &out = forward ? sends : receives, &in = forward ? receives : sends;
            return links_of(out, keep_pace ? std::vector<Piece>{} : in, bytes, window, source[1]);
          },
          {.lane = setup.settings.lane, .strands = window});
    };
    setup.exchanges[stage] = make(true);
    setup.exchanges[2 * count - 1 - stage] = make(false);
  }
}

template <class Real>
std::shared_ptr<TransformSetup<Real>> setup_of(TransformSettings<Real> settings,
                                               const Reply& reply) {
  require_array(settings.plan != nullptr && settings.pe != nullptr, settings.window, reply,
                settings.plan ? settings.plan->ranks() : 0);
  return std::make_shared<TransformSetup<Real>>(
      TransformSetup<Real>{.settings = std::move(settings), .reply = reply});
}

}  // namespace

template <class Real>
TransformArray<Real>::TransformArray(Runtime& runtime, TransformSettings<Real> settings,
                                     const Reply& reply)
    : PartArray<TransformPart<Real>, TransformSetup<Real>>(runtime,
                                                           setup_of(std::move(settings), reply)) {
  if (this->setup_->settings.sending == Sending::exchanges)
    make_exchanges(*this->setup_, this->parts_);
}

template struct TransformSetup<float>;
template struct TransformSetup<double>;
template class TransformArray<float>;
template class TransformArray<double>;

}  // namespace fg::fft
