// SPDX-License-Identifier: BSD-3-Clause
//
// One rank's part of a distributed transform: its arithmetic, and the packing of what it sends. It
// knows of no network; whoever drives it moves the parcels:
//
//   part.begin(direction, in, out);
//   while (!part.done()) {
//     move part.sends() to other ranks, and what they send into part.receives();
//     for (k = 0; k < part.receives().size(); ++k) part.unpack(k);   // in any order, as they arrive
//     part.proceed();
//   }
//
// Numbers are float or double; complex or, before a transform of real numbers, real. A parcel
// holds the same piece of all fields of a batch. Memory is taken when the object is made.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/layout.hpp"
#include "fft/line_transform.hpp"
#include "fft/plan.hpp"
#include "fft/real_lines.hpp"
#include "fft/redistribution.hpp"

namespace fg::fft {

/// What one rank sends to another, or gets from it, in one exchange.
struct Parcel {
  int rank;
  std::byte* data;
  std::size_t bytes;
};

/// How the user's numbers lie in memory; field b of a batch begins b * distance after the first.
struct Storage {
  Layout layout;
  std::size_t distance = 0;
};

template <class Real>
class RankTransform {
 public:
  using Complex = std::complex<Real>;

  /// The boxes of `in` and `out` are those of the plan for this rank. Throws InputError if they are
  /// not, or if two points of a box lie at one place, or fields overlap.
  RankTransform(std::shared_ptr<const TransformPlan> plan, int rank, const Storage& in,
                const Storage& out, int batch = 1);

  /// Arithmetic until the first exchange. Forward reads `in` and writes `out`; backward reads `out`
  /// and writes `in`. They may be the same memory. The array that is read stays as it is otherwise.
  /// Elements are Real in the grid of points of a real transform, else std::complex<Real>.
  void begin(Direction direction, void* in, void* out) noexcept;
  bool done() const noexcept { return at_ < 0; }
  std::span<const Parcel> sends() const noexcept;
  std::span<const Parcel> receives() const noexcept;
  void unpack(std::size_t k) noexcept;
  void proceed() noexcept;

  /// Bytes that this rank sends in one transform.
  std::size_t sent_bytes() const noexcept;
  int exchanges() const noexcept { return static_cast<int>(links_.size()); }

 private:
  /// One axis of one stage.
  struct Pass {
    int axis;
    bool real;
    Storage source, target;  // in the forward direction
  };
  struct Side {  // one end of an exchange
    Storage storage;
    std::vector<Piece> pieces;
    std::vector<Parcel> parcels;
  };
  struct Link {  // between stage i and i + 1
    GridBox kept;
    Side before, after;
    bool real;
  };
  /// Numbers in memory: whose, and how they lie.
  struct Place {
    std::byte* data;
    Storage storage;
  };

  void make_passes(int stage, const Storage& first, const Storage& last);
  void make_link(int stage, const Storage& before, const Storage& after);
  void make_parcels(Side& side, bool real, std::byte* buffer);
  void run_stage() noexcept;
  void transform(const Pass& pass, const std::byte* from, std::byte* to) noexcept;
  void pack() noexcept;
  std::byte* other_work(const std::byte* data) noexcept;
  Storage dense_storage(const GridBox& box) const noexcept;
  std::size_t size_of(bool real) const noexcept { return real ? sizeof(Real) : sizeof(Complex); }

  struct Lines;  // the plans of a pass

  std::shared_ptr<const TransformPlan> plan_;
  int rank_, batch_;
  std::vector<std::vector<Pass>> passes_;  // by stage
  std::vector<std::vector<Lines>> lines_;  // of each pass
  std::vector<Link> links_;
  AlignedVector<std::byte> work_[2], packed_, arrived_;
  // While a transform runs: its direction, its stage (-1: none), where the numbers are and where
  // the user wants them.
  Direction direction_ = Direction::forward;
  int at_ = -1;
  std::byte* now_ = nullptr;
  std::byte* result_ = nullptr;
};

}  // namespace fg::fft
