// SPDX-License-Identifier: BSD-3-Clause
//
// Normals for a whole patch at once: one Philox block and two Box-Muller pairs per atom, one atom
// per lane. The logarithm and the sine are short series on reduced arguments, accurate to single
// precision. Each lane does the same operations, so an atom gets the same bits in any lane.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/philox.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "base/fused-inl.hpp"
#include "base/philox.hpp"
#include "base/sized_vectors-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint32_t>;
using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;
using WordVec = hn::Vec<Words>;
using FloatVec = hn::Vec<Floats>;
using IntVec = hn::Vec<Ints>;

struct Product {
  sized::Vec<Words> high, low;
};

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Product multiply(WordVec a, WordVec factor) {
  const Words words;
  const std::uint64_t p = std::uint64_t{hn::GetLane(a)} * hn::GetLane(factor);
  return {hn::Set(words, static_cast<std::uint32_t>(p >> 32)),
          hn::Set(words, static_cast<std::uint32_t>(p))};
}
#else
HWY_INLINE Product multiply(WordVec a, WordVec factor) {
  const Words words;
  const hn::RepartitionToWide<Words> wide;
  // Products of the even lanes, and of the odd ones moved to even places.
  const auto even = hn::MulEven(a, factor);
  const auto odd_a = hn::BitCast(words, hn::ShiftRight<32>(hn::BitCast(wide, a)));
  const auto odd = hn::MulEven(odd_a, factor);
  const auto even_high = hn::BitCast(words, hn::ShiftRight<32>(even));
  const auto odd_low = hn::BitCast(words, hn::ShiftLeft<32>(odd));
  return {hn::OddEven(hn::BitCast(words, odd), even_high),
          hn::OddEven(odd_low, hn::BitCast(words, even))};
}
#endif

struct Words4 {
  sized::Vec<Words> w0, w1, w2, w3;
};

HWY_INLINE Words4 philox(Words4 c, std::uint64_t seed) {
  const Words d;
  const auto m0 = hn::Set(d, philox_multiplier[0]);
  const auto m1 = hn::Set(d, philox_multiplier[1]);
  std::uint32_t k0 = static_cast<std::uint32_t>(seed);
  std::uint32_t k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < philox_rounds; ++round) {
    const Product p0 = multiply(c.w0, m0);
    const Product p1 = multiply(c.w2, m1);
    c = {hn::Xor(hn::Xor(p1.high, c.w1), hn::Set(d, k0)), p1.low,
         hn::Xor(hn::Xor(p0.high, c.w3), hn::Set(d, k1)), p0.low};
    k0 += philox_weyl[0];
    k1 += philox_weyl[1];
  }
  return c;
}

/// sqrt(-2 ln u) for u = (word >> 1 + 1/2) 2^-31.
HWY_INLINE FloatVec radius(WordVec word) {
  const Floats d;
  const Ints ints;
  const auto integer = hn::ConvertTo(d, hn::BitCast(ints, hn::ShiftRight<1>(word)));
  const auto u = hn::Mul(hn::Add(integer, hn::Set(d, 0.5f)), hn::Set(d, 0x1p-31f));
  // u = 2^e m with m from sqrt(1/2) to sqrt(2): the offset makes the exponent field round.
  const auto bits = hn::BitCast(ints, u);
  const auto offset = hn::Set(ints, 0x3F3504F3);  // sqrt(1/2)
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, offset));
  const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  // ln m = 2 artanh(t), t = (m - 1) / (m + 1), |t| < 0.172: the next term is below 2e-9 of the sum.
  const auto one = hn::Set(d, 1.0f);
  const auto t = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const auto t2 = hn::Mul(t, t);
  auto series = fused::mul_add(t2, hn::Set(d, 1.0f / 9), hn::Set(d, 1.0f / 7));
  series = fused::mul_add(series, t2, hn::Set(d, 1.0f / 5));
  series = fused::mul_add(series, t2, hn::Set(d, 1.0f / 3));
  series = fused::mul_add(series, t2, one);
  const auto log_m = hn::Mul(hn::Add(t, t), series);
  const auto log_u = fused::mul_add(hn::ConvertTo(d, exponent), hn::Set(d, 0.69314718f), log_m);
  return hn::Sqrt(hn::Max(hn::Mul(log_u, hn::Set(d, -2.0f)), hn::Zero(d)));
}

struct CosSin {
  sized::Vec<Floats> cosine, sine;
};

/// Cosine and sine of the angle pi word 2^-31, with the word taken as signed.
HWY_INLINE CosSin direction(WordVec word) {
  const Floats d;
  const Ints ints;
  const Words words;
  // The nearest quarter turn and the rest, exactly, in wrapping integers.
  const auto quarter = hn::ShiftRight<30>(hn::Add(word, hn::Set(words, 1u << 29)));
  const auto rest = hn::BitCast(ints, hn::Sub(word, hn::ShiftLeft<30>(quarter)));
  const auto y = hn::Mul(hn::ConvertTo(d, rest), hn::Set(d, 1.4629180792671596e-09f));  // pi 2^-31
  const auto y2 = hn::Mul(y, y);
  const auto one = hn::Set(d, 1.0f);
  auto s = fused::mul_add(y2, hn::Set(d, 1.0f / 362880), hn::Set(d, -1.0f / 5040));
  s = fused::mul_add(s, y2, hn::Set(d, 1.0f / 120));
  s = fused::mul_add(s, y2, hn::Set(d, -1.0f / 6));
  s = hn::Mul(fused::mul_add(s, y2, one), y);
  auto c = fused::mul_add(y2, hn::Set(d, 1.0f / 40320), hn::Set(d, -1.0f / 720));
  c = fused::mul_add(c, y2, hn::Set(d, 1.0f / 24));
  c = fused::mul_add(c, y2, hn::Set(d, -0.5f));
  c = fused::mul_add(c, y2, one);
  // A quarter turn: (c, s) -> (-s, c). Odd quarters swap, signs go into the top bit.
  const auto swap = hn::Ne(hn::And(quarter, hn::Set(words, 1u)), hn::Zero(words));
  const auto swap_float = hn::RebindMask(d, swap);
  const auto second_bit = hn::Set(words, 2u);
  const auto sine_sign = hn::ShiftLeft<30>(hn::And(quarter, second_bit));
  const auto cosine_sign =
      hn::ShiftLeft<30>(hn::And(hn::Add(quarter, hn::Set(words, 1u)), second_bit));
  return {hn::Xor(hn::IfThenElse(swap_float, s, c), hn::BitCast(d, cosine_sign)),
          hn::Xor(hn::IfThenElse(swap_float, c, s), hn::BitCast(d, sine_sign))};
}

void normals_kernel(const RandomStream& stream, const std::int32_t* HWY_RESTRICT ids,
                    std::size_t count, float* HWY_RESTRICT x, float* HWY_RESTRICT y,
                    float* HWY_RESTRICT z) {
  const Words words;
  const Ints ints;
  const Floats floats;
  const std::size_t lanes = hn::Lanes(words);
  const auto step_low = hn::Set(words, static_cast<std::uint32_t>(stream.step));
  const auto step_high = hn::Set(words, static_cast<std::uint32_t>(stream.step >> 32));
  const auto purpose = hn::Set(words, static_cast<std::uint32_t>(stream.purpose));

  const auto triple = [&](IntVec id, FloatVec& nx, FloatVec& ny, FloatVec& nz) HWY_ATTR {
    const Words4 w = philox({hn::BitCast(words, id), step_low, step_high, purpose}, stream.seed);
    const CosSin first = direction(w.w1), second = direction(w.w3);
    const auto r = radius(w.w0);
    nx = hn::Mul(r, first.cosine);
    ny = hn::Mul(r, first.sine);
    nz = hn::Mul(radius(w.w2), second.cosine);
  };

  std::size_t i = 0;
  FloatVec nx, ny, nz;
  for (; i + lanes <= count; i += lanes) {
    triple(hn::LoadU(ints, ids + i), nx, ny, nz);
    hn::StoreU(nx, floats, x + i);
    hn::StoreU(ny, floats, y + i);
    hn::StoreU(nz, floats, z + i);
  }
  if (i < count) {
    // The remaining atoms go through a full vector of their own: the same operations in each lane.
    HWY_ALIGN std::int32_t last[HWY_MAX_BYTES / sizeof(std::int32_t)] = {};
    HWY_ALIGN float out[3][HWY_MAX_BYTES / sizeof(float)];
    for (std::size_t k = i; k < count; ++k) last[k - i] = ids[k];
    triple(hn::Load(ints, last), nx, ny, nz);
    hn::Store(nx, floats, out[0]);
    hn::Store(ny, floats, out[1]);
    hn::Store(nz, floats, out[2]);
    for (std::size_t k = i; k < count; ++k) {
      x[k] = out[0][k - i];
      y[k] = out[1][k - i];
      z[k] = out[2][k - i];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(normals_kernel);

void normal_triples(const RandomStream& stream, std::span<const std::int32_t> ids,
                    const std::array<float*, 3>& normals) noexcept {
  HWY_DYNAMIC_DISPATCH(normals_kernel)
  (stream, ids.data(), ids.size(), normals[0], normals[1], normals[2]);
}

}  // namespace fg
#endif
