// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors as arrays of NumPy.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

/// Passes a vector to NumPy without a copy.
template <class T, class... Shape>
nanobind::object as_array(std::vector<T>&& values, Shape... shape) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owner->data();
  const nanobind::capsule keeper(owner.release(), [](void* held) noexcept {
    delete static_cast<std::vector<T>*>(held);  // NOLINT(cppcoreguidelines-owning-memory)
  });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T>(data, {static_cast<std::size_t>(shape)...}, keeper));
}
