// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/sphere_array.hpp"

namespace fg::fft {

template <class Real>
SphereArray<Real>::SphereArray(Runtime& runtime, SphereSettings<Real> settings,
                               const Reply& reply) {
  require_array(settings.plan != nullptr && settings.pe != nullptr, settings.window, reply,
                settings.plan ? settings.plan->ranks() : 0);
  setup_ = std::make_shared<SphereSetup<Real>>(
      SphereSetup<Real>{.settings = std::move(settings), .reply = reply});
  parts_ = runtime.create_array<SpherePart<Real>>(
      {parts(), setup_->settings.window},
      [&](const std::array<int, 2>& index) { return setup_->settings.pe(index[0]); },
      [setup = std::shared_ptr<const SphereSetup<Real>>(setup_)](const auto&) {
        return std::make_unique<SpherePart<Real>>(setup);
      });
}

template class SphereArray<float>;
template class SphereArray<double>;

}  // namespace fg::fft
