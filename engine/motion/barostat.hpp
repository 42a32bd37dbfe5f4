// SPDX-License-Identifier: BSD-3-Clause
//
// Barostats: from a measured pressure to the factors by which the box is scaled. They act between
// two steps, every `interval`. Molecules keep their shape; their centres are scaled. Nothing
// outside of this file's kinds asks which of them a run uses. Units: Hartree atomic units.
//
// Stochastic rescaling: the logarithms of the edges follow the pressure with the time constant tau
// and a noise. The noise makes the volume's distribution exact. Source: Bernetti, Bussi, J. Chem.
// Phys. 153, 114107 (2020), doi:10.1063/5.0020514; semi-isotropic and anisotropic: Del Tatto,
// Raiteri, Bernetti, Bussi, Appl. Sci. 12, 1139 (2022), doi:10.3390/app12031139. The noise of two
// intervals in a row is averaged. So the variance of the volume has no error of first order in the
// interval. Source: Leimkuhler, Matthews, J. Chem. Phys. 138, 174102 (2013), doi:10.1063/1.4802990.
//
// Langevin piston: the volume has a mass, friction and noise. Source: Feller, Zhang, Pastor,
// Brooks, J. Chem. Phys. 103, 4613 (1995), doi:10.1063/1.470648. Its force is the mean of the
// pressure over the interval before the volume moves (leapfrog). It comes from samples whose sums
// have some steps to arrive. NAMD extrapolates from the last but one interval instead (Kumar et
// al., IBM J. Res. Dev. 52, 177 (2008)). Friction and noise act in the middle of the volume's way.
// This gives a harmonic volume its exact variance (Leimkuhler and Matthews, as above).
//
// The pressure fluctuates faster than an interval lasts. So it is the mean of several samples. One
// alone would shake the volume more than the temperature does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/virial.hpp"
#include "motion/bath_state.hpp"

namespace fg {

/// The Monte Carlo barostat needs energies, not the pressure: monte_carlo_barostat.hpp.
enum class BarostatKind { none, stochastic_rescaling, langevin_piston, monte_carlo };
inline constexpr std::array<std::pair<std::string_view, BarostatKind>, 4> barostat_names{
    {{"none", BarostatKind::none},
     {"stochastic-rescaling", BarostatKind::stochastic_rescaling},
     {"langevin-piston", BarostatKind::langevin_piston},
     {"monte-carlo", BarostatKind::monte_carlo}}};

/// The edges that are scaled by the same factor: all, x and y, none.
enum class BoxCoupling { isotropic, semi_isotropic, anisotropic };
inline constexpr std::array<std::pair<std::string_view, BoxCoupling>, 3> coupling_names{
    {{"isotropic", BoxCoupling::isotropic},
     {"semi-isotropic", BoxCoupling::semi_isotropic},
     {"anisotropic", BoxCoupling::anisotropic}}};

struct BarostatSettings {
  BarostatKind kind = BarostatKind::none;
  BoxCoupling coupling = BoxCoupling::isotropic;
  double pressure = 0;         // [hartree/bohr^3]
  double temperature = 0;      // k_B T
  double compressibility = 0;  // isothermal [bohr^3/hartree]
  double time_constant = 0;    // of stochastic rescaling; of a piston's friction
  double period = 0;           // of a piston's oscillation, for this compressibility
  double interval = 0;         // between two scalings
  int interval_steps = 0;      // the same
  int spacing_steps = 1;       // between two samples of the pressure
  double volume = 0;           // at the start of the job; it sets a piston's mass
  std::uint64_t seed = 0;
};

/// What a barostat sees of the atoms. Diagonals of tensors, by axis.
struct PressureSample {
  Vec3 motion;  // sum over centres of mass * velocity_a^2 [hartree]
  Vec3 virial;  // sum over centres of position_a * force_a, with the dispersion correction

  Vec3 pressure(double volume) const noexcept { return (motion + virial) * (1 / volume); }
};

class Barostat {
 public:
  virtual ~Barostat() = default;

  /// The number of steps from the last sample to the scaling that it decides; at least 1.
  virtual int lag() const noexcept = 0;

  /// The logarithms of the factors for the edges at `step`; changes what `state` has of the
  /// barostat's own.
  virtual Vec3 strain(BathState& state, const PressureSample& sample,
                      std::int64_t step) const noexcept = 0;

  /// The words for the log.
  virtual std::string description() const = 0;
};

/// Null for kinds that do not follow the pressure: none and Monte Carlo.
std::unique_ptr<const Barostat> make_barostat(const BarostatSettings& settings);

/// The box whose edges are multiplied by these factors, and its tilts as positions are.
Box scaled(const Box& box, const Vec3& factors) noexcept;

}  // namespace fg
