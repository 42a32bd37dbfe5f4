// SPDX-License-Identifier: BSD-3-Clause
//
// Many lines in an array, where they lie before and after their transform, and its sign.
#pragma once

#include <cstdint>

namespace fg::fft {

enum class Direction { forward, backward };  // exponent -, +

/// The layout of the lines, in complex elements: element k of line (i, j) is at k*stride + i*inner
/// + j*outer.
struct LineLayout {
  int stride;
  int inner;
  int outer;
};

/// Where element k of each line is, in complex elements from its beginning. If null, it is at
/// k*stride. An element with a negative place is zero before the transform, and is not written
/// after it.
struct LinePlaces {
  const std::int64_t* in = nullptr;
  const std::int64_t* out = nullptr;
};

/// A batch of inner_count * outer_count lines.
struct LineBatch {
  int length;
  int inner_count;
  int outer_count;
  LineLayout in;
  LineLayout out;
};

}  // namespace fg::fft
