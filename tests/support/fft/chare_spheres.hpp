// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of sphere transforms with clients that compare every result, bit by bit, with that of one
// rank.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "fft/chares/sphere_array.hpp"
#include "fft/sphere/slab_points.hpp"
#include "support/fft/chare_transforms.hpp"

namespace fg::test {

struct SphereCase {
  fft::Grid grid;
  fft::ReciprocalVectors vectors;
  double cutoff;
  fft::SphereKind kind;
  std::vector<GridBox> points;
  int batch = 1;
  int window = 1;
  int transforms = 6;
  std::vector<Route> routes{Route::backward, Route::there_and_back, Route::forward};  // by turns
  int pe_seed = 1;
  fft::SphereEnd end = fft::SphereEnd::points;

  std::shared_ptr<const fft::SpherePlan> plan(std::vector<GridBox> boxes) const {
    return std::make_shared<const fft::SpherePlan>(fft::WaveSphere(grid, vectors, cutoff, kind),
                                                   std::move(boxes));
  }
  int fields() const { return fft::fields_of(kind, batch); }
  Route route_of(std::int64_t t) const {
    return routes[static_cast<std::size_t>(t) % routes.size()];
  }
};

template <class Real>
class SphereClient final : public Chare<SphereClient<Real>, 1> {
 public:
  using Complex = std::complex<Real>;

  explicit SphereClient(std::shared_ptr<const SphereCase> is)
      : case_(std::move(is)), alone_(case_->plan({fft::whole(case_->grid)})) {
    int place = 0;
    for (const auto& wave : alone_->indices_of(0)) place_of_wave_[wave] = place++;
  }

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

  fft::SphereArray<Real> spheres;
  std::int64_t results = 0;

 private:
  void start(std::int64_t t) {
    const Route route = case_->route_of(t);
    auto message = spheres.template field<ScaledField>(this->ordinal(), t, route);
    message->factor = factor_of(t);
    auto* const to = message->template trailing<Complex>();
    if (route == Route::forward)
      fill_points(spheres.points_of(this->ordinal()), t, to);
    else
      fill_waves(spheres.plan().indices_of(this->ordinal()), t, to);
    spheres.start(std::move(message));
  }

  static Complex number(const std::array<int, 3>& p, int field, std::int64_t t) {
    return {static_cast<Real>(random_number(p, field, t, 0)),
            static_cast<Real>(random_number(p, field, t, 1))};
  }
  void fill_waves(const std::vector<std::array<int, 3>>& waves, std::int64_t t, Complex* to) const {
    for (int orbital = 0; orbital < case_->batch; ++orbital)
      for (const auto& wave : waves) *to++ = number(wave, orbital, t);
  }
  void fill_points(const Storage& storage, std::int64_t t, Complex* to) const {
    for (int field = 0; field < case_->fields(); ++field)
      for_each_point(storage.layout.box,
                     [&](const auto& p) { to[place_of(storage, p, field)] = number(p, field, t); });
  }

  void compare(const FieldMessage& result) const {
    const std::vector<Complex> whole = of_one_rank(result.number);
    const auto* got = result.trailing<Complex>();
    int wrong = 0;
    const auto expect_same = [&](const Complex& here, const Complex& there) {
      wrong += std::memcmp(&here, &there, sizeof(Complex)) != 0;
    };
    if (result.route == Route::backward) {
      const Storage all = fft::dense_storage(fft::whole(case_->grid));
      const Storage mine = spheres.points_of(this->ordinal());
      for (int field = 0; field < case_->fields(); ++field)
        for_each_point(mine.layout.box, [&](const auto& p) {
          expect_same(got[place_of(mine, p, field)],
                      whole[static_cast<std::size_t>(place_of(all, p, field))]);
        });
    } else {
      const auto waves = spheres.plan().indices_of(this->ordinal());
      for (int orbital = 0; orbital < case_->batch; ++orbital)
        for (const auto& wave : waves)
          expect_same(*got++, whole[place_of_wave_.size() * static_cast<std::size_t>(orbital) +
                                    static_cast<std::size_t>(place_of_wave_.at(wave))]);
    }
    EXPECT_EQ(wrong, 0) << "transform " << result.number << " of part " << this->ordinal();
  }

  /// The result of transform t.
  std::vector<Complex> of_one_rank(std::int64_t t) const {
    const Storage all = fft::dense_storage(fft::whole(case_->grid));
    fft::RankSphere<Real> one(alone_, 0, all, case_->batch);
    std::vector<Complex> waves(alone_->waves_of(0) * static_cast<std::size_t>(case_->batch));
    AlignedVector<Complex> points(all.distance * static_cast<std::size_t>(case_->fields()));
    const Route route = case_->route_of(t);
    if (route == Route::forward) {
      fill_points(all, t, points.data());
    } else {
      fill_waves(alone_->indices_of(0), t, waves.data());
      one.begin(fft::Direction::backward, waves.data(), points.data());
      if (route == Route::backward) return {points.begin(), points.end()};
      multiply_each(all, case_->fields(), factor_of(t), points.data());
    }
    one.begin(fft::Direction::forward, points.data(), waves.data());
    return waves;
  }

  std::shared_ptr<const SphereCase> case_;
  std::shared_ptr<const fft::SpherePlan> alone_;
  std::map<std::array<int, 3>, int> place_of_wave_;
};

/// As multiply_each, turn by turn.
template <class Real>
void multiply_rows(const fft::SpherePlan& plan, int part, const SphereCase& is, double factor,
                   std::complex<Real>* rows) {
  const fft::SlabPoints<Real> slab(plan, part, is.fields());
  const int below = is.points[static_cast<std::size_t>(part)].low[2];
  for (int field = 0; field < is.fields(); ++field)
    for (int turn = 0; turn < slab.turns(); ++turn)
      slab.there_and_back(
          rows, turn,
          [&](int y, std::complex<Real>* points) {
            const fft::Range z = slab.z(turn);
            for (int x = 0; x < slab.x_size(); ++x)
              for (int k = 0; k < z.size(); ++k)
                points[x * slab.width() + k] *=
                    static_cast<Real>(factor / (1 + x + 2 * y + 3 * (k + z.begin + below)));
          },
          field);
}

/// The clients and transforms of a case on a runtime.
template <class Real>
class SphereRun {
 public:
  SphereRun(const RuntimeOptions& how, const SphereCase& is)
      : runtime(how), case_(std::make_shared<const SphereCase>(is)) {
    const auto plan = is.plan(is.points);
    const int parts = plan->ranks();
    const auto pe = [=, pes = runtime.pes()](int part, int seed) {
      return maps::hashed(std::array{part}, {parts}, pes, static_cast<std::uint64_t>(seed));
    };
    clients = runtime.create_array<SphereClient<Real>>(
        {parts}, [=](const auto& index) { return pe(index[0], 77); },
        [is = case_](const auto&) { return std::make_unique<SphereClient<Real>>(is); });
    const auto change = [is = case_, plan](const FieldMessage& start, std::complex<Real>* points) {
      const double factor = static_cast<const ScaledField&>(start).factor;
      if (is->end == fft::SphereEnd::rows)
        return multiply_rows(*plan, start.part, *is, factor, points);
      multiply_each(fft::dense_storage(is->points[static_cast<std::size_t>(start.part)]),
                    is->fields(), factor, points);
    };
    spheres = fft::SphereArray<Real>(
        runtime,
        {.plan = plan,
         .pe = [=, seed = is.pe_seed](int part, int) { return pe(part, seed); },
         .batch = is.batch,
         .window = is.window,
         .end = is.end,
         .on_points = change},
        fft::reply_to<&SphereClient<Real>::ready>(clients));
    for (int i = 0; i < clients.size(); ++i)
      if (clients.here_at(i)) clients.object_at(i).spheres = spheres;
  }

  /// Runs the next transforms of the case; every client here must have all its results.
  void run() { run_next(runtime, clients, done_, case_->transforms); }

  Runtime runtime;
  Array<SphereClient<Real>> clients;
  fft::SphereArray<Real> spheres;

 private:
  std::shared_ptr<const SphereCase> case_;
  std::int64_t done_ = 0;
};

/// Full and half spheres of a cubic and of a triclinic cell; slabs, pencils and bricks of points; 1
/// part to more than there are planes; even and odd batches; ends in points and in rows.
inline std::vector<SphereCase> sphere_cases() {
  using fft::SphereKind;
  const fft::ReciprocalVectors cubic{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const fft::ReciprocalVectors slanted{{{1, 0.2, -0.1}, {0, 0.9, 0.3}, {0.1, 0, 1.2}}};
  const fft::Grid grid{9, 10, 12};
  std::vector<SphereCase> cases;
  for (const SphereKind kind : {SphereKind::full, SphereKind::half}) {
    const auto add = [&](const fft::ReciprocalVectors& vectors, std::vector<GridBox> points,
                         int batch, int window) {
      cases.push_back({.grid = grid,
                       .vectors = vectors,
                       .cutoff = 3.1,
                       .kind = kind,
                       .points = std::move(points),
                       .batch = batch,
                       .window = window,
                       .pe_seed = static_cast<int>(cases.size())});
    };
    add(cubic, fft::boxes_for_sphere(grid, 1), 1, 1);
    add(cubic, fft::boxes_for_sphere(grid, 4), 2, 2);
    add(slanted, fft::boxes_for_sphere(grid, 5), 3, 1);
    add(cubic, fft::pencils(grid, 0, {3, 2}), 1, 3);
    add(slanted, fft::bricks(grid, {2, 2, 3}), 4, 2);
    add(cubic, fft::boxes_for_sphere(grid, 17), 1, 2);
    for (const int parts : {1, 3, 12, 15}) {
      add(slanted, fft::slabs(grid, 2, parts), 1 + parts % 4, 2);
      cases.back().routes = {Route::there_and_back};
      cases.back().end = fft::SphereEnd::rows;
    }
  }
  return cases;
}

}  // namespace fg::test
