// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of term_lanes.hpp. Formulas and sources are those of the kinds' own headers. Included
// once per SIMD target.
#if defined(FG_FORCES_BONDED_TERM_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FORCES_BONDED_TERM_LANES_INL
#undef FG_FORCES_BONDED_TERM_LANES_INL
#else
#define FG_FORCES_BONDED_TERM_LANES_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <numbers>

#include "base/arctangent-inl.hpp"
#include "base/bits.hpp"
#include "base/fused-inl.hpp"
#include "base/sized_vectors-inl.hpp"
#include "base/vec3_lanes-inl.hpp"
#include "forces/bonded/term_lanes.hpp"
#include "forces/terms/terms.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace vec3_lanes;
using Doubles = hn::CappedTag<double, TermSlice::multiple>;
using Vec = sized::Vec<Doubles>;
using Vec3v = Vec3Lanes<Vec>;

HWY_INLINE Vec number(double value) {
  return hn::Set(Doubles(), value);
}

/// The terms of one vector.
template <bool with_sums>
class LaneAtoms {
 public:
  HWY_INLINE LaneAtoms(const TermSlice& slice, const NearestDifference& box, int first)
      : slice_(slice), box_(box), first_(first) {}

  HWY_INLINE Vec parameter(int k) const {
    return hn::Load(Doubles(), slice_.parameters + k * TermSlice::most + first_);
  }
  /// The vector from the second to the first, nearest image.
  HWY_INLINE Vec3v between(int a, int b) const {
    Vec3v d = sub(position(a), position(b));
    const Vec c_vectors = fused::round(hn::Mul(d.z, number(box_.inverse.z)));
    d.x = fused::neg_mul_add(number(box_.tilt.xz), c_vectors, d.x);
    d.y = fused::neg_mul_add(number(box_.tilt.yz), c_vectors, d.y);
    d.z = fused::neg_mul_add(number(box_.edge.z), c_vectors, d.z);
    const Vec b_vectors = fused::round(hn::Mul(d.y, number(box_.inverse.y)));
    d.x = fused::neg_mul_add(number(box_.tilt.xy), b_vectors, d.x);
    d.y = fused::neg_mul_add(number(box_.edge.y), b_vectors, d.y);
    const Vec a_vectors = fused::round(hn::Mul(d.x, number(box_.inverse.x)));
    d.x = fused::neg_mul_add(number(box_.edge.x), a_vectors, d.x);
    return d;
  }
  /// Once for each atom.
  HWY_INLINE void set_force(int atom, const Vec3v& force) {
    store(force.x, slice_.forces, 3 * atom);
    store(force.y, slice_.forces, 3 * atom + 1);
    store(force.z, slice_.forces, 3 * atom + 2);
  }
  HWY_INLINE void set_energy(Vec energy) {
    if constexpr (with_sums) store(energy, slice_.energies, 0);
  }
  /// Sets the virial of forces at these vectors from a common point.
  template <class... More>
  HWY_INLINE void set_virial(const Vec3v& r, const Vec3v& force, const More&... more) {
    if constexpr (with_sums) {
      Vec virial[6] = {hn::Mul(r.x, force.x), hn::Mul(r.y, force.y), hn::Mul(r.z, force.z),
                       hn::Mul(r.x, force.y), hn::Mul(r.x, force.z), hn::Mul(r.y, force.z)};
      add_virial(virial, more...);
      for (int k = 0; k < 6; ++k) store(virial[k], slice_.virials, k);
    }
  }

 private:
  HWY_INLINE Vec3v position(int atom) const {
    const double* const at = slice_.positions + 3 * atom * TermSlice::most + first_;
    const Doubles d;
    return {hn::Load(d, at), hn::Load(d, at + TermSlice::most),
            hn::Load(d, at + 2 * TermSlice::most)};
  }
  HWY_INLINE void store(Vec value, double* to, int row) const {
    hn::Store(value, Doubles(), to + row * TermSlice::most + first_);
  }
  static HWY_INLINE void add_virial(Vec*) {}
  template <class... More>
  static HWY_INLINE void add_virial(Vec* virial, const Vec3v& r, const Vec3v& force,
                                    const More&... more) {
    virial[0] = fused::mul_add(r.x, force.x, virial[0]);
    virial[1] = fused::mul_add(r.y, force.y, virial[1]);
    virial[2] = fused::mul_add(r.z, force.z, virial[2]);
    virial[3] = fused::mul_add(r.x, force.y, virial[3]);
    virial[4] = fused::mul_add(r.x, force.z, virial[4]);
    virial[5] = fused::mul_add(r.y, force.z, virial[5]);
    add_virial(virial, more...);
  }

  const TermSlice& slice_;
  const NearestDifference& box_;
  int first_;
};

/// The angle whose sine and cosine are these times any positive number; the sine is not negative.
template <Bits bits>
HWY_INLINE Vec angle_of(Vec sine, Vec cosine) {
  const Doubles d;
  const Vec tangent = hn::Div(sine, hn::Abs(cosine));
  Vec turned;
  if constexpr (bits == Bits::portable)
    turned = arctangent(d, tangent);
  else
    turned = hn::Atan(d, sized::plain(d, tangent));
  return hn::IfThenElse(hn::Lt(cosine, hn::Zero(d)), hn::Sub(number(std::numbers::pi), turned),
                        turned);
}

/// Sets a pair of atoms: the force on the first is `pull` times the vector between them.
template <class Atoms>
HWY_INLINE void set_pair(Atoms& atoms, const Vec3v& d, Vec energy, Vec pull) {
  const Vec3v force = scale(pull, d);
  atoms.set_force(0, force);
  atoms.set_force(1, neg(force));
  atoms.set_energy(energy);
  atoms.set_virial(d, force);
}

template <class Term, Bits bits>
struct LaneKernel;

template <Bits bits>
struct LaneKernel<HarmonicBond, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const Vec length = atoms.parameter(0), stiffness = atoms.parameter(1);
    const Vec3v d = atoms.between(0, 1);
    const Vec r = hn::Sqrt(dot(d, d)), stretch = hn::Sub(r, length);
    const Vec tension = hn::Mul(stiffness, stretch);
    const Vec zero = hn::Zero(Doubles());
    // For two atoms at the same place the direction of the force is undefined.
    const Vec pull = hn::IfThenElse(hn::Gt(r, zero), hn::Div(hn::Neg(tension), r), zero);
    set_pair(atoms, d, hn::Mul(number(0.5), hn::Mul(tension, stretch)), pull);
  }
};

template <Bits bits>
struct LaneKernel<ExceptionPair, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const Vec charge_product = atoms.parameter(0), sigma = atoms.parameter(1),
              epsilon = atoms.parameter(2);
    const Vec3v d = atoms.between(0, 1);
    const Vec inverse2 = hn::Div(number(1), dot(d, d));
    const Vec s2 = hn::Mul(hn::Mul(sigma, sigma), inverse2);
    const Vec s6 = hn::Mul(hn::Mul(s2, s2), s2);
    const Vec coulomb = hn::Mul(charge_product, hn::Sqrt(inverse2));
    const Vec attraction = hn::Mul(hn::Mul(number(4), epsilon), s6);
    const Vec repulsion = hn::Mul(attraction, s6);
    const Vec slope =
        fused::mul_add(number(12), repulsion, fused::neg_mul_add(number(6), attraction, coulomb));
    set_pair(atoms, d, hn::Add(hn::Sub(repulsion, attraction), coulomb), hn::Mul(slope, inverse2));
  }
};

template <Bits bits>
struct LaneKernel<HarmonicAngle, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const Vec angle = atoms.parameter(0), stiffness = atoms.parameter(1);
    const Vec3v a = atoms.between(0, 1), b = atoms.between(2, 1);
    const Vec3v normal = cross(a, b);
    const Vec a2 = dot(a, a), b2 = dot(b, b), both = hn::Mul(a2, b2);
    const Vec smallest = fused::mul_add(number(1e-8), hn::Sqrt(both), number(1e-300));
    const Vec sine = hn::Sqrt(dot(normal, normal));
    const Vec bend = hn::Sub(angle_of<bits>(sine, dot(a, b)), angle);
    const Vec moment = hn::Mul(stiffness, bend);
    // One division for those by the sine, |a|^2 and |b|^2.
    const Vec torque = hn::Div(hn::Neg(moment), hn::Mul(hn::Max(sine, smallest), both));
    const Vec3v first = scale(hn::Mul(torque, b2), cross(a, normal));
    const Vec3v last = scale(hn::Mul(torque, a2), cross(normal, b));
    atoms.set_force(0, first);
    atoms.set_force(1, neg(add(first, last)));
    atoms.set_force(2, last);
    atoms.set_energy(hn::Mul(number(0.5), hn::Mul(moment, bend)));
    atoms.set_virial(a, first, b, last);
  }
};

/// The dihedral angle of four atoms by its cosine and sine, and the forces of an energy of it.
struct DihedralLanes {
  Vec3v f, g, h;
  Vec cosine, sine;
  Vec3v d_f, d_g, d_h;

  template <class Atoms>
  HWY_INLINE explicit DihedralLanes(const Atoms& atoms)
      : f(atoms.between(0, 1)), g(atoms.between(1, 2)), h(atoms.between(3, 2)) {
    const Vec3v a = cross(f, g), b = cross(h, g);
    const Vec one = number(1), tiny = number(1e-300);
    const Vec g2 = dot(g, g), g1 = hn::Sqrt(g2), smallest = hn::Mul(number(1e-16), g2);
    const Vec a2 = hn::Max(dot(a, a), fused::mul_add(smallest, dot(f, f), tiny));
    const Vec b2 = hn::Max(dot(b, b), fused::mul_add(smallest, dot(h, h), tiny));
    const Vec per_a2 = hn::Div(one, a2), per_b2 = hn::Div(one, b2), per_g1 = hn::Div(one, g1);
    const Vec unit = hn::Sqrt(hn::Mul(per_a2, per_b2));
    cosine = hn::Mul(dot(a, b), unit);
    sine = hn::Mul(hn::Mul(dot(cross(b, a), g), unit), per_g1);
    d_f = scale(hn::Neg(hn::Mul(g1, per_a2)), a);
    d_h = scale(hn::Mul(g1, per_b2), b);
    d_g = mul_add(hn::Mul(hn::Mul(dot(f, g), per_a2), per_g1), a,
                  scale(hn::Neg(hn::Mul(hn::Mul(dot(h, g), per_b2), per_g1)), b));
  }

  /// Where dE / d phi is `slope`.
  template <class Atoms>
  HWY_INLINE void set_forces(Atoms& atoms, Vec slope) const {
    const Vec against = hn::Neg(slope);
    const Vec3v on_i = scale(against, d_f), on_g = scale(against, d_g), on_l = scale(against, d_h);
    const Vec3v on_j = sub(on_g, on_i);
    atoms.set_force(0, on_i);
    atoms.set_force(1, on_j);
    atoms.set_force(2, neg(add(on_g, on_l)));
    atoms.set_force(3, on_l);
    atoms.set_virial(add(f, g), on_i, g, on_j, h, on_l);
  }
};

template <Bits bits>
struct LaneKernel<PeriodicTorsion, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const Doubles d;
    const Vec periodicity = atoms.parameter(0), cos_phase = atoms.parameter(1),
              sin_phase = atoms.parameter(2), stiffness = atoms.parameter(3);
    const DihedralLanes phi(atoms);
    Vec c = number(1), s = hn::Zero(d), power = hn::Zero(d);
    for (auto open = hn::Lt(power, periodicity); !hn::AllFalse(d, open);
         open = hn::Lt(power, periodicity)) {
      const Vec next = fused::neg_mul_add(s, phi.sine, hn::Mul(c, phi.cosine));
      s = hn::IfThenElse(open, fused::mul_add(s, phi.cosine, hn::Mul(c, phi.sine)), s);
      c = hn::IfThenElse(open, next, c);
      power = hn::Add(power, number(1));
    }
    const Vec wave = fused::mul_add(s, sin_phase, hn::Mul(c, cos_phase));
    atoms.set_energy(fused::mul_add(stiffness, wave, stiffness));
    const Vec turned = fused::neg_mul_add(s, cos_phase, hn::Mul(c, sin_phase));
    phi.set_forces(atoms, hn::Mul(hn::Mul(stiffness, periodicity), turned));
  }
};

template <Bits bits>
struct LaneKernel<RyckaertBellemans, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const DihedralLanes phi(atoms);
    const Vec x = hn::Neg(phi.cosine);  // cos(psi)
    Vec energy = atoms.parameter(5), by_x = hn::Zero(Doubles());
    for (int n = 4; n >= 0; --n) {
      by_x = fused::mul_add(by_x, x, energy);
      energy = fused::mul_add(energy, x, atoms.parameter(n));
    }
    atoms.set_energy(energy);
    phi.set_forces(atoms, hn::Mul(by_x, phi.sine));
  }
};

template <Bits bits>
struct LaneKernel<HarmonicTorsion, bits> {
  template <class Atoms>
  static HWY_INLINE void run(Atoms& atoms) {
    const Vec cos_angle = atoms.parameter(0), sin_angle = atoms.parameter(1),
              stiffness = atoms.parameter(2);
    const DihedralLanes phi(atoms);
    const Vec sine = fused::neg_mul_add(phi.cosine, sin_angle, hn::Mul(phi.sine, cos_angle));
    const Vec cosine = fused::mul_add(phi.sine, sin_angle, hn::Mul(phi.cosine, cos_angle));
    const Doubles d;
    const Vec turn =
        hn::CopySign(sized::plain(d, angle_of<bits>(hn::Abs(sine), cosine)), sized::plain(d, sine));
    const Vec slope = hn::Mul(stiffness, turn);
    atoms.set_energy(hn::Mul(number(0.5), hn::Mul(slope, turn)));
    phi.set_forces(atoms, slope);
  }
};

template <class Term, bool with_sums, Bits bits>
void run_lanes(const TermSlice& slice, const NearestDifference& box) {
  for (int first = 0; first < slice.terms; first += static_cast<int>(hn::Lanes(Doubles()))) {
    LaneAtoms<with_sums> atoms(slice, box, first);
    LaneKernel<Term, bits>::run(atoms);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
