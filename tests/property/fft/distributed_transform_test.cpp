// SPDX-License-Identifier: BSD-3-Clause
//
// Random grids, boxes, layouts and batches over random numbers of ranks: the transform is the
// defining sum, its bits are those of one rank, and backward undoes it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "support/fft/numbered_points.hpp"
#include "support/fft/transform_draw.hpp"
#include "support/fft/transforms_in_process.hpp"

namespace fg::fft {
namespace {

using test::Draw;
using test::for_each_point;
using test::number;
using test::Point;
using test::RankArrays;

/// The sum along one axis after the other, in double.
std::vector<std::complex<double>> plain_transform(const Grid& grid,
                                                  std::vector<std::complex<double>> values) {
  const Layout all = dense(whole(grid));
  for (int axis = 0; axis < 3; ++axis) {
    const int n = grid[axis];
    std::vector<std::complex<double>> turn;
    for (int k = 0; k < n; ++k) turn.push_back(std::polar(1.0, -2 * std::numbers::pi * k / n));
    std::vector<std::complex<double>> next(values.size());
    for_each_point(all.box, [&](Point p) {
      const auto k = static_cast<std::size_t>(p[axis]);
      std::complex<double>& sum = next[static_cast<std::size_t>(all.at(p))];
      for (int j = 0; j < n; ++j) {
        p[axis] = j;
        sum += values[static_cast<std::size_t>(all.at(p))] *
               turn[k * static_cast<std::size_t>(j) % static_cast<std::size_t>(n)];
      }
    });
    values = std::move(next);
  }
  return values;
}

template <class T>
T& element(std::vector<std::byte>& bytes, const Storage& storage, const Point& p, int field) {
  return reinterpret_cast<T*>(
      bytes.data())[storage.layout.at(p) + field * static_cast<std::ptrdiff_t>(storage.distance)];
}

constexpr auto untouched = std::byte{0x5A};

template <class Real>
class Case {
 public:
  using Complex = std::complex<Real>;

  Case(TransformBoxes boxes, int batch, const std::function<Storage(const GridBox&)>& storage,
       Wire wire = Wire::exact)
      : plan_(std::make_shared<const TransformPlan>(std::move(boxes))), batch_(batch) {
    for (int rank = 0; rank < plan_->ranks(); ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      ranks_.emplace_back(plan_, rank, storage(plan_->boxes().in[r]),
                          storage(plan_->boxes().out[r]), batch, wire);
      std::fill(ranks_[r].point_bytes.begin(), ranks_[r].point_bytes.end(), untouched);
      std::fill(ranks_[r].wave_bytes.begin(), ranks_[r].wave_bytes.end(), untouched);
    }
  }

  bool real() const { return plan_->boxes().kind == Kind::real; }
  int exchanges() const { return ranks_[0].part.exchanges(); }
  std::size_t sent_bytes() const {
    std::size_t bytes = 0;
    for (const auto& r : ranks_) bytes += r.part.sent_bytes();
    return bytes;
  }

  void set_points() {
    for_each([&](RankArrays<Real>& r, const Point& p, int field) {
      const std::complex<double> value = number(p, field);
      if (real())
        element<Real>(r.point_bytes, r.points_storage, p, field) = static_cast<Real>(value.real());
      else
        element<Complex>(r.point_bytes, r.points_storage, p, field) = Complex(value);
    });
  }
  void run(Direction direction) { test::transform(ranks_, direction); }

  /// All waves of a field in row-major order.
  std::vector<Complex> waves(int field) {
    const Layout all = dense(whole(waves_of(plan_->boxes().grid, plan_->boxes().kind)));
    std::vector<Complex> result(all.extent());
    for (auto& r : ranks_)
      for_each_point(r.waves_storage.layout.box, [&](const Point& p) {
        result[static_cast<std::size_t>(all.at(p))] =
            element<Complex>(r.wave_bytes, r.waves_storage, p, field);
      });
    return result;
  }
  /// The relative error of the points against what they were, after forward and back.
  double error_of_points() {
    double error = 0, norm = 0;
    const Grid& grid = plan_->boxes().grid;
    const double scale = 1.0 / (double(grid[0]) * grid[1] * grid[2]);
    for_each([&](RankArrays<Real>& r, const Point& p, int field) {
      std::complex<double> was = number(p, field), is;
      if (real()) {
        was = static_cast<Real>(was.real());
        is = element<Real>(r.point_bytes, r.points_storage, p, field);
      } else {
        was = Complex(was);
        is = element<Complex>(r.point_bytes, r.points_storage, p, field);
      }
      error += std::norm(is * scale - was);
      norm += std::norm(was);
    });
    return std::sqrt(error / norm);
  }
  /// The number of bytes that no point and no wave has written.
  std::size_t untouched_bytes() const {
    std::size_t count = 0;
    for (const auto& r : ranks_)
      for (const auto* bytes : {&r.point_bytes, &r.wave_bytes})
        count += static_cast<std::size_t>(std::count(bytes->begin(), bytes->end(), untouched));
    return count;
  }
  std::size_t bytes_between_numbers() const {
    std::size_t count = 0;
    const auto fields = static_cast<std::size_t>(batch_);
    for (const auto& r : ranks_) {
      const auto volume = [&](const Storage& s) {
        return s.layout.box.empty() ? 0 : fields * s.layout.box.volume();
      };
      count +=
          r.point_bytes.size() + r.wave_bytes.size() - volume(r.waves_storage) * sizeof(Complex);
      count -= volume(r.points_storage) * element_size<Real>(real());
    }
    return count;
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) {
    for (auto& r : ranks_)
      for (int field = 0; field < batch_; ++field)
        for_each_point(r.points_storage.layout.box, [&](const Point& p) { visit(r, p, field); });
  }

  std::shared_ptr<const TransformPlan> plan_;
  int batch_;
  std::vector<RankArrays<Real>> ranks_;
};

template <class Real>
double relative_error(const std::vector<std::complex<Real>>& got, const Grid& grid, Kind kind,
                      int field) {
  const Layout all = dense(whole(grid));
  std::vector<std::complex<double>> points(all.extent());
  for_each_point(all.box, [&](const Point& p) {
    std::complex<double>& value = points[static_cast<std::size_t>(all.at(p))];
    value = std::complex<Real>(number(p, field));
    if (kind == Kind::real) value = value.real();
  });
  const auto exact = plain_transform(grid, points);
  const Layout kept = dense(whole(waves_of(grid, kind)));
  double error = 0, norm = 0;
  for_each_point(kept.box, [&](const Point& p) {
    const auto& e = exact[static_cast<std::size_t>(all.at(p))];
    error += std::norm(std::complex<double>(got[static_cast<std::size_t>(kept.at(p))]) - e);
    norm += std::norm(e);
  });
  return std::sqrt(error / norm);
}

template <class Real>
void expect_one_case(unsigned seed) {
  Draw draw(seed);
  const Grid grid{draw.upto(13), draw.upto(12), draw.upto(14)};
  const int ranks = draw.upto(3) == 1 ? draw.upto(40) : draw.upto(8);
  const int batch = draw.upto(3);
  const Kind kind = draw.upto(2) == 1 ? Kind::real : Kind::complex;
  SCOPED_TRACE("seed " + std::to_string(seed) + ", grid " + std::to_string(grid[0]) + " x " +
               std::to_string(grid[1]) + " x " + std::to_string(grid[2]) + ", ranks " +
               std::to_string(ranks) + (kind == Kind::real ? ", real" : ", complex"));
  const Grid waves = waves_of(grid, kind);
  TransformBoxes boxes{grid, kind, draw.boxes(grid, ranks), draw.boxes(waves, ranks), {}};
  const auto divisor = [&](int of) {
    int a = draw.upto(of);
    while (of % a != 0) --a;
    return a;
  };
  const int between = draw.upto(3), a = divisor(ranks), b = divisor(ranks / a);
  if (between == 1) boxes.parts = {{a, ranks / a}};
  if (between == 2) boxes.mesh = {{a, b, ranks / a / b}};
  Case<Real> many(boxes, batch, [&](const GridBox& box) { return draw.storage(box, batch); });
  Case<Real> one({grid, kind, {whole(grid)}, {whole(waves)}, {}}, batch,
                 [&](const GridBox& box) { return Storage{dense(box), box.volume()}; });
  many.set_points();
  one.set_points();
  many.run(Direction::forward);
  one.run(Direction::forward);
  const double points = double(grid[0]) * grid[1] * grid[2];
  // The targets of runtime_fft: 2 eps log2 N and, there and back, 4 eps log2 N; eps for N = 1.
  const double bound = std::numeric_limits<Real>::epsilon() * std::max(1.0, std::log2(points));
  for (int field = 0; field < batch; ++field) {
    const auto got = many.waves(field), alone = one.waves(field);
    EXPECT_LE(relative_error<Real>(got, grid, kind, field), 2 * bound);
    EXPECT_EQ(std::memcmp(got.data(), alone.data(), got.size() * sizeof(got[0])), 0) << "bits";
  }
  many.run(Direction::backward);
  EXPECT_LE(many.error_of_points(), 4 * bound);
  // A byte of a number may by chance be like an untouched one.
  EXPECT_GE(many.untouched_bytes(), many.bytes_between_numbers());
  EXPECT_LE(one.exchanges(), 0);
}

/// Points and waves in one array, each rank with layouts of its own.
template <class Real>
void expect_one_array_suffices(unsigned seed) {
  using Complex = std::complex<Real>;
  Draw draw(seed);
  const Grid grid{draw.upto(9), draw.upto(9), draw.upto(9)};
  const GridBox box = whole(grid);
  const auto plan =
      std::make_shared<const TransformPlan>(TransformBoxes{grid, {}, {box}, {box}, {}});
  const Storage points = draw.storage(box, 1);
  const Storage waves = draw.upto(2) == 1 ? points : draw.storage(box, 1);
  RankTransform<Real> apart(plan, 0, points, waves), together(plan, 0, points, waves);
  const std::size_t room = std::max(points.layout.extent(), waves.layout.extent());
  std::vector<Complex> in(room), out(room), both(room);
  for_each_point(box, [&](const Point& p) {
    in[static_cast<std::size_t>(points.layout.at(p))] = Complex(number(p, 0));
  });
  both = in;
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const bool forward = direction == Direction::forward;
    apart.begin(direction, forward ? in.data() : out.data(), forward ? out.data() : in.data());
    together.begin(direction, both.data(), both.data());
    const Layout& layout = forward ? waves.layout : points.layout;
    for_each_point(box, [&](const Point& p) {
      const auto at = static_cast<std::size_t>(layout.at(p));
      ASSERT_EQ(both[at], forward ? out[at] : in[at]) << "seed " << seed;
    });
  }
}

TEST(DistributedTransform, OneArrayMayBeBothSides) {
  for (unsigned seed = 1; seed <= 100; ++seed) expect_one_array_suffices<float>(seed);
  for (unsigned seed = 1; seed <= 100; ++seed) expect_one_array_suffices<double>(seed);
}

Storage packed(const GridBox& box) {
  return {dense(box), box.empty() ? 0 : box.volume()};
}

/// Forward and back with float on the wire, beside the same with all bits.
void expect_one_case_with_float_on_the_wire(unsigned seed) {
  Draw draw(seed);
  const Grid grid{draw.upto(13), draw.upto(12), draw.upto(14)};
  const int ranks = draw.upto(8), batch = draw.upto(3);
  const Kind kind = draw.upto(2) == 1 ? Kind::real : Kind::complex;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const TransformBoxes boxes{
      grid, kind, draw.boxes(grid, ranks), draw.boxes(waves_of(grid, kind), ranks), {}};
  Case<double> rounded(boxes, batch, packed, Wire::as_float), exact(boxes, batch, packed);
  EXPECT_EQ(2 * rounded.sent_bytes(), exact.sent_bytes());
  rounded.set_points();
  rounded.run(Direction::forward);
  // A component is rounded to a part of 2^-24, so an array to 2^-24 in the norm, which a transform
  // keeps; the conjugates of a real transform's waves, which are not stored, weigh up to twice.
  const double once = rounded.exchanges() * 0x1p-24 * (kind == Kind::real ? std::sqrt(2.0) : 1);
  for (int field = 0; field < batch; ++field)
    EXPECT_LE(relative_error<double>(rounded.waves(field), grid, kind, field), once + 1e-14);
  rounded.run(Direction::backward);
  EXPECT_LE(rounded.error_of_points(), 2 * once + 1e-14);
}

TEST(DistributedTransform, FloatOnTheWireHalvesTheBytesAndRoundsOnceAnExchange) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    expect_one_case_with_float_on_the_wire(seed);
    if (HasFailure()) break;
  }
}

TEST(DistributedTransform, FloatOnTheWireHasTheSameBitsWhereverTheSlabsEnd) {
  const Grid grid{10, 9, 8};
  for (const Kind kind : {Kind::complex, Kind::real}) {
    std::vector<std::vector<std::complex<double>>> all;
    for (const int ranks : {1, 2, 3, 7}) {
      Case<double> one(
          {grid, kind, slabs(grid, 0, ranks), slabs(waves_of(grid, kind), 1, ranks), {}}, 1, packed,
          Wire::as_float);
      one.set_points();
      one.run(Direction::forward);
      all.push_back(one.waves(0));
    }
    EXPECT_NE(all[1], all[0]);  // one rank exchanges nothing
    EXPECT_EQ(all[2], all[1]);
    EXPECT_EQ(all[3], all[1]);
  }
}

TEST(DistributedTransform, FloatsTravelAsTheyAre) {
  const Grid grid{6, 7, 8};
  const TransformBoxes boxes{grid, {}, slabs(grid, 0, 3), slabs(grid, 1, 3), {}};
  Case<float> rounded(boxes, 1, packed, Wire::as_float), exact(boxes, 1, packed);
  for (auto* one : {&rounded, &exact}) {
    one->set_points();
    one->run(Direction::forward);
  }
  EXPECT_EQ(rounded.waves(0), exact.waves(0));
  EXPECT_EQ(rounded.sent_bytes(), exact.sent_bytes());
}

TEST(DistributedTransform, IsTheSumAndHasTheBitsOfOneRank) {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    seed % 2 == 0 ? expect_one_case<float>(seed) : expect_one_case<double>(seed);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace fg::fft
