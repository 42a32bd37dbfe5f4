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
  auto setup = std::make_shared<SphereSetup<Real>>(
      SphereSetup<Real>{.settings = std::move(settings), .reply = reply});
  const SphereSettings<Real>& is = setup->settings;
  if (is.end == SphereEnd::rows)
    for (int part = 0; part < is.plan->ranks(); ++part)
      setup->row_bytes.push_back(
          ColumnRows(*is.plan, part, setup->fields(), is.end, sizeof(std::complex<Real>)).bytes());
  return setup;
}

}  // namespace

template <class Real>
SphereArray<Real>::SphereArray(Runtime& runtime, SphereSettings<Real> settings, const Reply& reply)
    : PartArray<SpherePart<Real>, SphereSetup<Real>>(runtime,
                                                     setup_of(std::move(settings), reply)) {}

template class SphereArray<float>;
template class SphereArray<double>;

}  // namespace fg::fft
