// SPDX-License-Identifier: BSD-3-Clause
//
// Random cells, cut-offs, grids, boxes, layouts and batches over random numbers of ranks: orbitals
// in real space are those of the padded grid, their bits are those of one rank, forward undoes
// backward, norms are kept, and two real orbitals in one transform are what each is alone.
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "support/effort.hpp"
#include "support/fft/numbered_points.hpp"
#include "support/fft/sphere_samples.hpp"

namespace fg::fft {
namespace {

using test::Draw;
using test::for_each_point;
using test::SphereArrays;
using test::SphereSample;

template <class Real>
class Case {
 public:
  using Complex = std::complex<Real>;

  Case(const SphereSample& sample, std::vector<GridBox> boxes, int batch,
       const std::function<Storage(const GridBox&)>& storage)
      : plan_(std::make_shared<const SpherePlan>(sample.sphere(), std::move(boxes))),
        batch_(batch) {
    for (int rank = 0; rank < plan_->ranks(); ++rank)
      ranks_.emplace_back(plan_, rank, storage(plan_->points()[static_cast<std::size_t>(rank)]),
                          batch);
  }

  void run(Direction direction) { test::transform(ranks_, direction); }
  int fields() const { return fields_of(plan_->sphere().kind(), batch_); }
  double volume() const { return static_cast<double>(whole(plan_->sphere().grid()).volume()); }

  /// All points of a field in row-major order.
  std::vector<Complex> points(int field) {
    const Layout all = dense(whole(plan_->sphere().grid()));
    std::vector<Complex> result(all.extent());
    for (auto& r : ranks_)
      for_each_point(r.points_storage.layout.box, [&](const std::array<int, 3>& p) {
        result[static_cast<std::size_t>(all.at(p))] = r.point(field, p);
      });
    return result;
  }
  /// An orbital's waves by their place in the grid; others are zero.
  std::vector<Complex> waves(int orbital) {
    std::vector<Complex> result(whole(plan_->sphere().grid()).volume());
    for (auto& r : ranks_)
      for (std::size_t k = 0; k < r.indices.size(); ++k)
        result[test::place_in(plan_->sphere().grid(), r.indices[k])] = r.wave(orbital, k);
    return result;
  }

  std::vector<SphereArrays<Real>>& ranks() { return ranks_; }
  const SpherePlan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const SpherePlan> plan_;
  int batch_;
  std::vector<SphereArrays<Real>> ranks_;
};

template <class Real>
Case<Real> of_one_rank(const SphereSample& sample, int batch) {
  return Case<Real>(sample, {whole(sample.grid)}, batch,
                    [](const GridBox& box) { return dense_storage(box); });
}

template <class Real>
double norm_of(const std::vector<std::complex<Real>>& values) {
  double sum = 0;
  for (const auto& z : values) sum += std::norm(std::complex<double>(z));
  return std::sqrt(sum);
}

template <class Real>
double distance_of(const std::vector<std::complex<Real>>& a,
                   const std::vector<std::complex<Real>>& b, double factor = 1) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::norm(std::complex<double>(a[i]) * factor - std::complex<double>(b[i]));
  return std::sqrt(sum);
}

/// eps log2 N; eps for N = 1. The targets are 2 of it, and 4 there and back.
template <class Real>
double bound_of(double points) {
  return std::numeric_limits<Real>::epsilon() * std::max(1.0, std::log2(points));
}

template <class Real>
bool same_bits(const std::vector<std::complex<Real>>& a, const std::vector<std::complex<Real>>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

/// The library's dense transform of one rank.
template <class Real>
std::vector<std::complex<Real>> dense_backward(const Grid& grid,
                                               std::vector<std::complex<Real>> waves) {
  const GridBox box = whole(grid);
  RankTransform<Real> dense(
      std::make_shared<TransformPlan>(TransformBoxes{grid, {}, {box}, {box}, {}}), 0,
      dense_storage(box), dense_storage(box));
  dense.begin(Direction::backward, waves.data(), waves.data());
  return waves;
}

std::vector<GridBox> draw_boxes(Draw& draw, const Grid& grid, int ranks) {
  switch (draw.upto(5)) {
    case 1:
      return slabs(grid, draw.upto(3) - 1, ranks);
    case 2:
      return boxes_for_sphere(grid, ranks);
    case 3:
      return pencils(grid, draw.upto(3) - 1, pencil_parts(grid, ranks));
    default:
      return draw.boxes(grid, ranks);
  }
}

template <class Real>
void expect_one_case(unsigned seed) {
  Draw draw(seed);
  const SphereSample sample = test::draw_sphere(draw);
  const int ranks = draw.upto(5) == 1 ? draw.upto(40) : draw.upto(8), batch = draw.upto(4);
  SCOPED_TRACE("seed " + std::to_string(seed) + ", grid " + std::to_string(sample.grid[0]) + " x " +
               std::to_string(sample.grid[1]) + " x " + std::to_string(sample.grid[2]) +
               ", ranks " + std::to_string(ranks) + ", batch " + std::to_string(batch) +
               (sample.kind == SphereKind::half ? ", half" : ", full"));
  const std::vector<GridBox> boxes = draw_boxes(draw, sample.grid, ranks);
  const bool any_layout = draw.upto(2) == 1;
  const int fields = fields_of(sample.kind, batch);
  Case<Real> many(sample, boxes, batch, [&](const GridBox& box) {
    return any_layout ? draw.storage(box, fields) : dense_storage(box);
  });
  auto one = of_one_rank<Real>(sample, batch);
  EXPECT_EQ(one.ranks()[0].part.exchanges(), 0);
  EXPECT_LE(many.ranks()[0].part.exchanges(), 3);
  const double points = many.volume(), bound = bound_of<Real>(points);

  std::vector<std::vector<std::complex<Real>>> before;
  for (int orbital = 0; orbital < batch; ++orbital) before.push_back(many.waves(orbital));
  many.run(Direction::backward);
  one.run(Direction::backward);
  for (int field = 0; field < fields; ++field) {
    const auto got = many.points(field);
    EXPECT_TRUE(same_bits(got, one.points(field))) << "bits of one rank";
    auto padded = test::padded_field<Real>(many.plan().sphere(), field, batch);
    EXPECT_LE(distance_of(got, dense_backward(sample.grid, padded)), 2 * bound * norm_of(got));
    test::transform_all_lines(sample.grid, Direction::backward, padded);
    EXPECT_EQ(got, padded) << "bits of the padded grid, lines in the same order";
  }
  for (auto& r : many.ranks()) std::fill(r.wave_bytes.begin(), r.wave_bytes.end(), std::byte{0x5A});
  many.run(Direction::forward);
  one.run(Direction::forward);
  for (int orbital = 0; orbital < batch; ++orbital) {
    const auto again = many.waves(orbital);
    EXPECT_TRUE(same_bits(again, one.waves(orbital))) << "bits of one rank";
    EXPECT_LE(distance_of(again, before[static_cast<std::size_t>(orbital)], 1 / points),
              // In a pair each has a share of the other's error.
              4 * bound * norm_of(before[static_cast<std::size_t>(orbital)]) *
                  (sample.kind == SphereKind::half ? 2 : 1));
  }
}

TEST(SphereTransform, IsThatOfThePaddedGridAndHasTheBitsOfOneRank) {
  const auto cases = static_cast<unsigned>(test::effort(600));
  for (unsigned seed = 1; seed <= cases; ++seed) {
    seed % 2 == 0 ? expect_one_case<float>(seed) : expect_one_case<double>(seed);
    if (HasFailure()) break;
  }
}

/// Lines along x to an array that begins `shift` numbers behind a cache line.
template <class Real>
std::vector<std::complex<Real>> points_of_lines(PointStores stores, int shift) {
  constexpr int length = 20, ny = 3, nz = 32, width = 16, used = 5;
  std::vector<std::int64_t> planes(length, -1);
  for (int plane = 0; plane < used; ++plane) planes[4 * plane] = plane * ny * width;
  XLines<Real> lines({length, width, ny, {ny * width, 1, width}, {ny * nz, 1, nz}}, planes, stores);
  AlignedVector<std::complex<Real>> in(used * ny * width), out(length * ny * nz + 8);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = std::complex<Real>(test::coefficient({static_cast<int>(i), 0, 0}, 0, SphereKind::full));
  for (int z = 0; z < nz; z += width) lines.to_points(in.data(), out.data() + shift + z);
  const auto begin = out.begin() + shift;
  return {begin, begin + length * ny * nz};
}

TEST(XLines, HaveTheSameBitsPastTheCachesWhereverTheArrayBegins) {
  for (const int shift : {0, 1}) {  // the latter cannot be streamed
    EXPECT_TRUE(same_bits(points_of_lines<float>(PointStores::streamed, shift),
                          points_of_lines<float>(PointStores::cached, 0)));
    EXPECT_TRUE(same_bits(points_of_lines<double>(PointStores::streamed, shift),
                          points_of_lines<double>(PointStores::cached, 0)));
  }
}

/// The bytes that all ranks send in a transform.
std::size_t bytes_of_sphere(const WaveSphere& sphere, const std::vector<GridBox>& boxes) {
  const auto plan = std::make_shared<const SpherePlan>(sphere, boxes);
  std::size_t bytes = 0;
  for (int rank = 0; rank < plan->ranks(); ++rank)
    bytes += RankSphere<double>(plan, rank, dense_storage(boxes[static_cast<std::size_t>(rank)]))
                 .sent_bytes();
  return bytes;
}

std::size_t bytes_of_grid(const Grid& grid, const std::vector<GridBox>& points,
                          const std::vector<GridBox>& waves) {
  const auto plan =
      std::make_shared<const TransformPlan>(TransformBoxes{grid, {}, points, waves, {}});
  std::size_t bytes = 0;
  for (std::size_t rank = 0; rank < points.size(); ++rank)
    bytes += RankTransform<double>(plan, static_cast<int>(rank), dense_storage(points[rank]),
                                   dense_storage(waves[rank]))
                 .sent_bytes();
  return bytes;
}

/// The target for a sphere of radius N/4: pi/16 of all columns travel to slabs; to pencils, these
/// and the half of all planes.
TEST(SphereTransform, SendsAtMostTwoFifthsOfTheBytesOfTheGrid) {
  constexpr int n = 32;
  const Grid grid{n, n, n};
  const WaveSphere sphere(grid, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, n / 4.0, SphereKind::full);
  for (const int ranks : {2, 3, 4, 8, 32}) {
    const std::size_t dense = bytes_of_grid(grid, slabs(grid, 0, ranks), slabs(grid, 1, ranks));
    EXPECT_LE(bytes_of_sphere(sphere, boxes_for_sphere(grid, ranks)), 0.40 * double(dense))
        << ranks;
  }
  for (const int a : {2, 4, 8}) {
    const std::array<int, 2> parts{a, 8};
    const std::size_t dense = bytes_of_grid(grid, pencils(grid, 2, parts), pencils(grid, 0, parts));
    EXPECT_LE(bytes_of_sphere(sphere, pencils(grid, 0, parts)), 0.40 * double(dense)) << a;
  }
}

TEST(SphereTransform, RefusesWhatMakesNoTransform) {
  const Grid grid{8, 8, 8};
  const WaveSphere sphere(grid, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 3, SphereKind::half);
  const auto boxes = slabs(grid, 2, 2);
  EXPECT_THROW(SpherePlan(sphere, {boxes[0]}), InputError);
  EXPECT_THROW(SpherePlan(sphere, {boxes[0], whole(grid)}), InputError);
  const auto plan = std::make_shared<const SpherePlan>(sphere, boxes);
  const Storage mine = dense_storage(boxes[0]);
  EXPECT_THROW(RankSphere<double>(plan, 2, mine), InputError);
  EXPECT_THROW(RankSphere<double>(plan, 0, mine, 0), InputError);
  EXPECT_THROW(RankSphere<double>(plan, 0, mine, 1, plan->waves_of(0) - 1), InputError);
  EXPECT_THROW(RankSphere<double>(plan, 0, dense_storage(boxes[1])), InputError);
  EXPECT_THROW(RankSphere<double>(plan, 0, {mine.layout, 0}, 4), InputError);
}

}  // namespace
}  // namespace fg::fft
