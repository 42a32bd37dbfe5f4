// SPDX-License-Identifier: BSD-3-Clause
//
// A client of the pencils that knows nothing of molecules: sources put blocks of a density on a
// periodic mesh and get back their block of the potential of the whole density.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <memory>
#include <vector>

#include "fft/chares/pencils-inl.hpp"
#include "fft/pencils/block_rows.hpp"
#include "support/fft/poisson_solution.hpp"

namespace fg::test {

using fft::PencilIndex;

template <class Real>
struct PoissonSetup;

template <class Real>
struct DensityMessage : Message {  // trailing: Real [x][y][z]
  std::int64_t round;
  double factor;
  GridBox box;
  std::int32_t source;
};

template <class Real>
struct PotentialMessage : Message {  // trailing: Real, of the points of one pencil
  std::int64_t round;
  PencilIndex pencil;
};

template <class Real>
class PoissonPoints;
template <class Real>
class PoissonWaves;

template <class Number>
struct PoissonClient {
  using Real = Number;
  struct Head {
    double factor;
    std::array<std::int64_t, 9> more;  // longer than a cache line
  };
  using Message = DensityMessage<Real>;
  using Points = PoissonPoints<Real>;
  using Waves = PoissonWaves<Real>;
  static constexpr Lane lane = Lane::normal;

  static std::int64_t round(const Message& message) { return message.round; }
  static Head head(const Message& message) {
    Head head{message.factor, {}};
    head.more.fill(message.round);
    return head;
  }
  static const Phase& phase() {
    static const Phase phase("Poisson: transforms");
    return phase;
  }

  std::shared_ptr<PoissonSetup<Real>> setup;
};

template <class Real>
using PoissonPencil = fft::ZPencil<PoissonClient<Real>>;

/// Asks for the potential of its block, round after round.
template <class Real>
class PoissonSource final : public Chare<PoissonSource<Real>, 1> {
 public:
  explicit PoissonSource(std::shared_ptr<const PoissonSetup<Real>> setup)
      : setup_(std::move(setup)) {}

  void begin(std::int64_t round) {
    for (const PencilIndex& pencil : setup_->pencils_of(box()))
      setup_->pencils.z[pencil].template send<&PoissonPencil<Real>::points>(block(round));
    awaited_ = static_cast<int>(setup_->pencils_of(box()).size());
    results.emplace_back(box().volume());
  }
  void potential(Ref<const PotentialMessage<Real>> message) {
    const auto& rounds = setup_->is.rounds;
    EXPECT_EQ(message->round, rounds[results.size() - 1]);
    keep(*message);
    if (--awaited_ == 0 && results.size() < rounds.size()) begin(rounds[results.size()]);
  }
  Ref<DensityMessage<Real>> block(std::int64_t round) const {
    auto message = make_message<DensityMessage<Real>>(box().volume() * sizeof(Real));
    message->round = round;
    message->factor = factor_of_round(round);
    message->box = box();
    message->source = this->ordinal();
    Real* to = message->template trailing<Real>();
    for_each_in(box(), [&](int x, int y, int z) {
      *to++ = static_cast<Real>(density(this->ordinal(), round, x, y, z));
    });
    return message;
  }

  std::vector<std::vector<Real>> results;  // by round, [x][y][z] of the box

 private:
  const GridBox& box() const { return setup_->is.boxes[static_cast<std::size_t>(this->ordinal())]; }
  void keep(const PotentialMessage<Real>& message) {
    const auto& geometry = setup_->geometry;
    const Real* from = message.template trailing<Real>();
    const auto row = static_cast<std::size_t>(box().size(2)), plane = row * box().size(1);
    const auto in_pencil = [&](std::size_t axis, int p, fft::Range part) {
      return part.contains(fft::wrap(p, geometry.mesh()[axis]));
    };
    for (int x = box().low[0]; x < box().high[0]; ++x)
      for (int y = box().low[1]; y < box().high[1]; ++y)
        if (in_pencil(0, x, geometry.x_part(message.pencil[0])) &&
            in_pencil(1, y, geometry.y_part_of_z(message.pencil[1]))) {
          std::copy_n(
              from, row,
              results.back().begin() + static_cast<std::ptrdiff_t>((x - box().low[0]) * plane +
                                                                   (y - box().low[1]) * row));
          from += row;
        }
  }

  std::shared_ptr<const PoissonSetup<Real>> setup_;
  int awaited_ = 0;
};

template <class Real>
struct PoissonSetup {
  explicit PoissonSetup(const PoissonCase& what)
      : is(what),
        geometry(what.mesh, what.grid),
        waves(static_cast<std::size_t>(geometry.pencils())) {}

  std::vector<PencilIndex> pencils_of(const GridBox& box) const {
    std::vector<PencilIndex> result;
    for (int i = 0; i < is.grid[0]; ++i)
      for (int j = 0; j < is.grid[1]; ++j)
        if (fft::BlockRows(geometry, {i, j}).points_of(box) > 0) result.push_back({i, j});
    return result;
  }

  PoissonCase is;
  fft::PencilGeometry geometry;
  Array<PoissonSource<Real>> sources{};
  fft::Pencils<PoissonClient<Real>> pencils{};
  // By x-pencil: the waves of the last round before their change; each pencil writes its own.
  std::vector<std::vector<std::complex<Real>>> waves;
};

/// Adds up densities as plain numbers, where the potential will be.
template <class Real>
class PoissonPoints {
 public:
  using Complex = std::complex<Real>;
  PoissonPoints(const PoissonClient<Real>& client, PencilIndex index)
      : setup_(client.setup), place_(index), rows_(setup_->geometry, index) {
    for (const GridBox& box : setup_->is.boxes) awaited_ += rows_.points_of(box) > 0;
    points_.resize(rows_.stored_points());
  }

  int awaited() const { return awaited_; }
  void add(Ref<const DensityMessage<Real>> message) {
    const Real* const from = message->template trailing<Real>();
    const auto row = static_cast<std::size_t>(message->box.size(2));
    rows_.for_each(message->box, [&](const fft::BlockRows::Stretch& s) {
      for (int r = 0; r < s.rows; ++r)
        for (int i = 0; i < s.length; ++i)
          points_[s.in_lines + static_cast<std::size_t>(r * rows_.next_y() + i)] +=
              from[s.in_block + r * row + i];
    });
    messages_.push_back(std::move(message));
  }
  void read_pair(int a, int b, Complex* line) noexcept {
    for (int i = 0; i < rows_.length(); ++i) line[i] = {at(a)[i], at(b)[i]};
  }
  void write_pair(const Complex* line, int a, int b) noexcept {
    for (int i = 0; i < rows_.length(); ++i) at(a)[i] = line[i].real(), at(b)[i] = line[i].imag();
  }
  void answer(std::int64_t round) {
    for (const auto& asked : messages_) {
      auto message =
          make_message<PotentialMessage<Real>>(rows_.points_of(asked->box) * sizeof(Real));
      message->round = round;
      message->pencil = place_;
      Real* const to = message->template trailing<Real>();
      const auto row = static_cast<std::size_t>(asked->box.size(2));
      rows_.for_each(asked->box, [&](const fft::BlockRows::Stretch& s) {
        for (int r = 0; r < s.rows; ++r)
          std::copy_n(points_.data() + s.in_lines + r * rows_.next_y(), s.length,
                      to + s.in_share + r * row);
      });
      setup_->sources.at_ordinal(asked->source)
          .template send<&PoissonSource<Real>::potential>(std::move(message));
    }
    messages_.clear();
    std::fill(points_.begin(), points_.end(), Real(0));
  }

 private:
  Real* at(int line) noexcept {
    return points_.data() + static_cast<std::ptrdiff_t>(line) * rows_.length();
  }

  std::shared_ptr<const PoissonSetup<Real>> setup_;
  PencilIndex place_;
  fft::BlockRows rows_;
  int awaited_ = 0;
  std::vector<Ref<const DensityMessage<Real>>> messages_;
  std::vector<Real> points_;
};

/// Divides each wave by the square of its wave vector.
template <class Real>
class PoissonWaves {
 public:
  PoissonWaves(const PoissonClient<Real>& client, PencilIndex index)
      : setup_(client.setup), place_(index) {}

  void change(std::int64_t round, const typename PoissonClient<Real>::Head& head,
              std::complex<Real>* waves) {
    EXPECT_EQ(head.factor, factor_of_round(round));
    for (const std::int64_t one : head.more) EXPECT_EQ(one, round);
    auto& seen =
        setup_->waves[static_cast<std::size_t>(place_[0] * setup_->is.grid[1] + place_[1])];
    seen.clear();
    const auto& [nx, ny, nz] = setup_->is.mesh;
    // Pairs of lines have doubled the waves, and transforms are not normalised.
    const double scale = 0.5 * head.factor / (static_cast<double>(nx) * ny * nz);
    const fft::Range kz_part = setup_->geometry.kz_part(place_[1]);
    const fft::Range ky_part = setup_->geometry.y_part_of_x(place_[0]);
    for (int kz = kz_part.begin; kz < kz_part.end; ++kz)
      for (int kx = 0; kx < nx; ++kx)
        for (int ky = ky_part.begin; ky < ky_part.end; ++ky) {
          const double k2 = wave_square(setup_->is.mesh, {kx, ky, kz});
          seen.push_back(*waves);
          *waves++ *= static_cast<Real>(k2 > 0 ? -scale / k2 : 0);
        }
  }

 private:
  std::shared_ptr<PoissonSetup<Real>> setup_;
  PencilIndex place_;
};

/// Sources and pencils of a case on a runtime.
template <class Real>
class PoissonRun {
 public:
  // Rounding errors of a transform grow with the logarithm of its points (Gentleman and Sande,
  // 1966); two transforms of at most 2000 points, and a factor of four.
  static constexpr double tolerance = 2 * 11 * 4 * std::numeric_limits<Real>::epsilon() / 2;

  PoissonRun(const RuntimeOptions& how, const PoissonCase& is)
      : runtime(how), setup(std::make_shared<PoissonSetup<Real>>(is)) {
    const auto create = [&]<class C>(const auto& shape, auto&& factory) {
      return runtime.create_array<C>(
          shape,
          [&](const auto& index) {
            return is.scattered ? maps::hashed(index, shape, runtime.pes(), is.scattered)
                                : maps::block(index, shape, runtime.pes());
          },
          factory);
    };
    setup->sources = create.template operator()<PoissonSource<Real>>(
        std::array{static_cast<int>(is.boxes.size())},
        [shared = setup](const auto&) { return std::make_unique<PoissonSource<Real>>(shared); });
    setup->pencils = fft::create_pencils(setup->geometry, PoissonClient<Real>{setup}, create);
  }

  void run() {
    if (runtime.process() == 0)
      setup->sources.template broadcast<&PoissonSource<Real>::begin>(setup->is.rounds.front());
    runtime.run_until_quiescent();
  }

  /// The results of the sources and the waves of the x-pencils that are in this process.
  void check() const {
    const PoissonCase& is = setup->is;
    for (std::size_t r = 0; r < is.rounds.size(); ++r) {
      const LongMesh expected = expected_potential(is, is.rounds[r]);
      for (int s = 0; s < setup->sources.size(); ++s) {
        if (!setup->sources.here_at(s)) continue;
        const auto& results = setup->sources.object_at(s).results;
        ASSERT_EQ(results.size(), is.rounds.size()) << "source " << s;
        RelativeError error(expected);
        const Real* got = results[r].data();
        for_each_in(is.boxes[static_cast<std::size_t>(s)], [&](int x, int y, int z) {
          error.add(static_cast<long double>(*got++), expected[place_in(is.mesh, x, y, z)].real());
        });
        EXPECT_LT(error.value(), tolerance) << "source " << s << ", round " << is.rounds[r];
      }
    }
    const LongMesh expected = expected_waves(is, is.rounds.back());
    for (int p = 0; p < setup->pencils.x.size(); ++p)
      if (setup->pencils.x.here_at(p)) check_waves(p, expected);
  }

  /// The numbers of all sources in all rounds.
  std::vector<Real> results() const {
    std::vector<Real> all;
    for (int s = 0; s < setup->sources.size(); ++s)
      for (const auto& block : setup->sources.object_at(s).results)
        all.insert(all.end(), block.begin(), block.end());
    return all;
  }

  Runtime runtime;
  std::shared_ptr<PoissonSetup<Real>> setup;

 private:
  void check_waves(int ordinal, const LongMesh& expected) const {
    const PoissonCase& is = setup->is;
    const PencilIndex place = setup->pencils.x.index(ordinal);
    const fft::Range kz_part = setup->geometry.kz_part(place[1]);
    const fft::Range ky_part = setup->geometry.y_part_of_x(place[0]);
    RelativeError error(expected);
    const auto& got = setup->waves[static_cast<std::size_t>(ordinal)];
    auto wave = got.begin();
    for (int kz = kz_part.begin; kz < kz_part.end; ++kz)
      for (int kx = 0; kx < is.mesh[0]; ++kx)
        for (int ky = ky_part.begin; ky < ky_part.end; ++ky, ++wave) {
          ASSERT_NE(wave, got.end());
          error.add(fft::LongComplex(*wave) / 2.0L, expected[place_in(is.mesh, kx, ky, kz)]);
        }
    EXPECT_EQ(wave, got.end());
    EXPECT_LT(error.value(), tolerance) << "x-pencil " << ordinal;
  }
};

}  // namespace fg::test
