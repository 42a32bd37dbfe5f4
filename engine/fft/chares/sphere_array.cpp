// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/sphere_array.hpp"

#include <memory>
#include <utility>

namespace fg::fft {

namespace {

template <class Real>
std::shared_ptr<SphereSetup<Real>> setup_of(SphereSettings<Real> settings, const Reply& reply) {
  require_array(settings.plan != nullptr && settings.pe != nullptr, settings.window, reply,
                settings.plan ? settings.plan->ranks() : 0, settings.client != nullptr);
  return std::make_shared<SphereSetup<Real>>(
      SphereSetup<Real>{.settings = std::move(settings), .reply = reply});
}

}  // namespace

template <class Real>
SphereArray<Real>::SphereArray(Runtime& runtime, SphereSettings<Real> settings, const Reply& reply)
    : PartArray<SpherePart<Real>, SphereSetup<Real>>(runtime,
                                                     setup_of(std::move(settings), reply)) {}

template class SphereArray<float>;
template class SphereArray<double>;

}  // namespace fg::fft
