// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of transforms with clients that compare every result, bit by bit, with that of one rank.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <memory>
#include <vector>

#include "base/philox.hpp"
#include "fft/chares/transform_array.hpp"
#include "runtime/archive.hpp"

namespace fg::test {

using fft::FieldMessage;
using fft::GridBox;
using fft::Route;
using fft::Storage;

/// A field with a number of its own, which the function of the waves uses.
struct ScaledField : FieldMessage {
  double factor;
};

constexpr double factor_of(std::int64_t t) {
  return 1.0 / static_cast<double>(2 + t);
}

/// The axes from x, fastest, to z, with gaps between lines and fields.
inline Storage odd_storage(const GridBox& box) {
  Storage storage{{box, {1, box.size(0) + 1, (box.size(0) + 1) * box.size(1) + 2}}};
  storage.distance = storage.layout.extent() + 3;
  return storage;
}

template <class Visit>
void for_each_point(const GridBox& box, Visit&& visit) {
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) visit(std::array{x, y, z});
}

/// The place of a point of a field among the numbers of a storage.
inline std::ptrdiff_t place_of(const Storage& storage, const std::array<int, 3>& p, int field) {
  return storage.layout.at(p) +
         static_cast<std::ptrdiff_t>(field) * static_cast<std::ptrdiff_t>(storage.distance);
}

/// Calls start for first .. first + count - 1, for each part in another order.
template <class Start>
void start_in_some_order(int part, std::int64_t first, int count, Start&& start) {
  for (int i = 0; i < count; ++i)
    start(first + (i * (part % 2 == 0 ? 1 : count - 1) + part) % count);
}

/// Lets clients start transforms from `done` on; afterwards every client here must have the results
/// of `count` more.
template <class Client>
void run_next(Runtime& runtime, const Array<Client>& clients, std::int64_t& done, int count) {
  if (runtime.process() == 0) clients.template broadcast<&Client::begin>(std::int64_t{done});
  runtime.run_until_quiescent();
  done += count;
  for (int i = 0; i < clients.size(); ++i) {
    if (!clients.here_at(i)) continue;
    EXPECT_EQ(clients.object_at(i).results, done) << "part " << i;
  }
}

/// A number in (-1, 1), from a point, a field of the batch and the number of a transform.
inline double random_number(const std::array<int, 3>& p, int field, std::int64_t t, int word) {
  const auto at = [](int i) { return static_cast<std::uint32_t>(i); };
  const PhiloxCounter words =
      philox4x32({at(p[0]), at(p[1]), at(p[2]), at(field)}, {static_cast<std::uint32_t>(t), 9});
  return static_cast<std::int32_t>(words[static_cast<std::size_t>(word)]) * 0x1p-31;
}

/// What a function of the waves, or of the points, may do: multiply each by a number of its own.
template <class Real>
void multiply_each(const Storage& storage, int batch, double factor, std::complex<Real>* numbers) {
  for (int field = 0; field < batch; ++field)
    for_each_point(storage.layout.box, [&](const auto& k) {
      auto& number =
          numbers[storage.layout.at(k) +
                  static_cast<std::ptrdiff_t>(static_cast<std::size_t>(field) * storage.distance)];
      number *= static_cast<Real>(factor / (1 + k[0] + 2 * k[1] + 3 * k[2]));
    });
}

struct TransformCase {
  fft::TransformBoxes boxes;
  int batch = 1;
  int window = 1;
  fft::Sending sending = fft::Sending::messages;
  int transforms = 6;
  std::vector<Route> routes{Route::forward, Route::there_and_back, Route::backward};  // by turns
  bool odd_layouts = false;
  int pe_seed = 1;
};

template <class Real>
class TransformClient final : public Chare<TransformClient<Real>, 1> {
 public:
  using Complex = std::complex<Real>;

  explicit TransformClient(std::shared_ptr<const TransformCase> is) : case_(std::move(is)) {}

  /// Starts transforms first .. first + case.transforms - 1, every part in another order.
  void begin(std::int64_t first) {
    start_in_some_order(this->ordinal(), first, case_->transforms,
                        [&](std::int64_t t) { start(t); });
  }
  void ready(Ref<const FieldMessage> result) {
    EXPECT_EQ(result->part, this->ordinal());
    compare(*result);
    ++results;
  }
  void archive(Archive& with) override { with(results); }

  fft::TransformArray<Real> transforms;
  std::int64_t results = 0;

 private:
  bool real() const { return case_->boxes.kind == fft::Kind::real; }

  Route route_of(std::int64_t t) const {
    return case_->routes[static_cast<std::size_t>(t) % case_->routes.size()];
  }
  void start(std::int64_t t) {
    const Route route = route_of(t);
    auto message = transforms.template field<ScaledField>(this->ordinal(), t, route);
    message->factor = factor_of(t);
    const bool points = route != Route::backward;
    const Storage storage =
        points ? transforms.points_of(this->ordinal()) : transforms.waves_of(this->ordinal());
    fill(storage, points, t, message->template trailing<std::byte>());
    transforms.start(std::move(message));
  }

  void fill(const Storage& storage, bool points, std::int64_t t, std::byte* to) const {
    for (int field = 0; field < case_->batch; ++field)
      for_each_point(storage.layout.box, [&](const auto& p) {
        const auto at = place_of(storage, p, field);
        const auto re = static_cast<Real>(random_number(p, field, t, 0));
        const auto im = static_cast<Real>(random_number(p, field, t, 1));
        if (points && real())
          reinterpret_cast<Real*>(to)[at] = re;
        else
          reinterpret_cast<Complex*>(to)[at] = {re, im};
      });
  }

  void compare(const FieldMessage& result) const {
    const std::int64_t t = result.number;
    const bool points = result.route != Route::forward;
    const std::size_t element = fft::element_size<Real>(points && real());
    const std::vector<std::byte> whole = of_one_rank(t);
    const Storage all = fft::dense_storage(
        points ? fft::whole(case_->boxes.grid)
               : fft::whole(fft::waves_of(case_->boxes.grid, case_->boxes.kind)));
    const Storage mine =
        points ? transforms.points_of(this->ordinal()) : transforms.waves_of(this->ordinal());
    const auto* const got = result.trailing<std::byte>();
    int wrong = 0;
    for (int field = 0; field < case_->batch; ++field)
      for_each_point(mine.layout.box, [&](const auto& p) {
        wrong +=
            std::memcmp(got + static_cast<std::size_t>(place_of(mine, p, field)) * element,
                        whole.data() + static_cast<std::size_t>(place_of(all, p, field)) * element,
                        element) != 0;
      });
    EXPECT_EQ(wrong, 0) << "transform " << t << " of part " << this->ordinal();
  }

  /// The result of transform t, dense.
  std::vector<std::byte> of_one_rank(std::int64_t t) const {
    const fft::Kind kind = case_->boxes.kind;
    const GridBox grid = fft::whole(case_->boxes.grid);
    const GridBox spectrum = fft::whole(fft::waves_of(case_->boxes.grid, kind));
    const auto plan = std::make_shared<const fft::TransformPlan>(
        fft::TransformBoxes{case_->boxes.grid, kind, {grid}, {spectrum}});
    const Storage points = fft::dense_storage(grid), waves = fft::dense_storage(spectrum);
    fft::RankTransform<Real> one(plan, 0, points, waves, case_->batch);
    const auto batch = static_cast<std::size_t>(case_->batch);
    std::vector<std::byte> x(batch * points.distance * fft::element_size<Real>(real()));
    std::vector<std::byte> k(batch * waves.distance * sizeof(Complex));
    const Route route = route_of(t);
    if (route == Route::backward) {
      fill(waves, false, t, k.data());
    } else {
      fill(points, true, t, x.data());
      one.begin(fft::Direction::forward, x.data(), k.data());
      if (route == Route::forward) return k;
      multiply_each(waves, case_->batch, factor_of(t), reinterpret_cast<Complex*>(k.data()));
    }
    one.begin(fft::Direction::backward, k.data(), x.data());
    return x;
  }

  std::shared_ptr<const TransformCase> case_;
};

/// The clients and transforms of a case on a runtime.
template <class Real>
class TransformRun {
 public:
  TransformRun(const RuntimeOptions& how, const TransformCase& is)
      : runtime(how), case_(std::make_shared<const TransformCase>(is)) {
    const auto plan = std::make_shared<const fft::TransformPlan>(is.boxes);
    const int parts = plan->ranks();
    const auto pe = [=, pes = runtime.pes()](int part, int seed) {
      return maps::hashed(std::array{part}, {parts}, pes, static_cast<std::uint64_t>(seed));
    };
    clients = runtime.create_array<TransformClient<Real>>(
        {parts}, [=](const auto& index) { return pe(index[0], 77); },
        [is = case_](const auto&) { return std::make_unique<TransformClient<Real>>(is); });
    const auto boxes_to = [](const std::vector<GridBox>& boxes) {
      return [boxes](int part) { return odd_storage(boxes[static_cast<std::size_t>(part)]); };
    };
    fft::TransformSettings<Real> settings{
        .plan = plan,
        .pe = [=, seed = is.pe_seed](int part) { return pe(part, seed); },
        .batch = is.batch,
        .window = is.window,
        .sending = is.sending};
    if (is.odd_layouts) {
      settings.points = boxes_to(is.boxes.in);
      settings.waves = boxes_to(is.boxes.out);
    }
    settings.on_waves = [is = case_](const FieldMessage& start, std::complex<Real>* waves) {
      const GridBox& box = is->boxes.out[static_cast<std::size_t>(start.part)];
      multiply_each(is->odd_layouts ? odd_storage(box) : fft::dense_storage(box), is->batch,
                    static_cast<const ScaledField&>(start).factor, waves);
    };
    transforms = fft::TransformArray<Real>(runtime, settings,
                                           fft::reply_to<&TransformClient<Real>::ready>(clients));
    tell();
  }

  /// Runs the next transforms of the case; every client here must have all its results.
  void run() { run_next(runtime, clients, done_, case_->transforms); }

  /// Puts all parts and clients elsewhere.
  void scatter(std::uint64_t seed) {
    const auto placement = [&](ArrayCore* core, int size, std::uint64_t salt) {
      Runtime::Placement result{core, {}};
      for (int i = 0; i < size; ++i)
        result.pes.push_back(maps::hashed(std::array{i}, {size}, runtime.pes(), seed + salt));
      return result;
    };
    const auto parts = transforms.array();
    const std::vector<Runtime::Placement> placements{placement(parts.core(), parts.size(), 0),
                                                     placement(clients.core(), clients.size(), 5)};
    runtime.relocate(placements);
    tell();
  }

  Runtime runtime;
  Array<TransformClient<Real>> clients;
  fft::TransformArray<Real> transforms;

 private:
  void tell() {
    for (int i = 0; i < clients.size(); ++i)
      if (clients.here_at(i)) clients.object_at(i).transforms = transforms;
  }

  std::shared_ptr<const TransformCase> case_;
  std::int64_t done_ = 0;
};

/// Slabs, pencils, bricks over a mesh, boxes of which many are empty; 1 part to more than there are
/// points.
inline std::vector<TransformCase> transform_cases(fft::Sending sending) {
  using fft::bricks;
  using fft::Kind;
  using fft::pencils;
  using fft::slabs;
  std::vector<TransformCase> cases;
  const auto add = [&](fft::TransformBoxes boxes, int batch, int window) {
    cases.push_back({.boxes = std::move(boxes),
                     .batch = batch,
                     .window = window,
                     .sending = sending,
                     .odd_layouts = batch == 2,
                     .pe_seed = static_cast<int>(cases.size())});
  };
  const fft::Grid small{6, 5, 8};
  const auto whole_grid = std::vector{fft::whole(small)};
  add({small, Kind::complex, whole_grid, whole_grid}, 1, 2);
  for (const Kind kind : {Kind::complex, Kind::real}) {
    const fft::Grid waves = fft::waves_of(small, kind);
    add({small, kind, slabs(small, 0, 3), slabs(waves, 1, 3)}, 2, 1);
    add({small, kind, slabs(small, 0, 9), slabs(waves, 1, 9)}, 1, 3);  // more than planes
    add({small, kind, pencils(small, 2, {3, 2}), pencils(waves, 0, {3, 2})}, 1, 4);
    add({small, kind, bricks(small, {2, 3, 2}), bricks(waves, {2, 3, 2}), {}, {{2, 3, 2}}}, 2, 2);
    add({small, kind, bricks(small, {6, 5, 1}), bricks(waves, {6, 5, 1}), {}, {{6, 5, 1}}}, 1, 2);
    std::vector<GridBox> last_has_all(7);
    last_has_all.back() = fft::whole(small);
    add({small, kind, last_has_all, slabs(waves, 0, 7)}, 1, 3);
    const fft::Grid tiny{2, 3, 4};  // 24 points for 30 parts
    const fft::Grid tiny_waves = fft::waves_of(tiny, kind);
    add({tiny, kind, bricks(tiny, {2, 3, 5}), bricks(tiny_waves, {5, 3, 2}), {}, {{2, 3, 5}}}, 1,
        3);
  }
  return cases;
}

}  // namespace fg::test
