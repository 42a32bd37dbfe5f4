// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms for python/finegrain/fft, which has checked types, shapes and strides.
#include "fft.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/array_transform.hpp"
#include "fft/batch_cut.hpp"
#include "fft/exchange_memory.hpp"
#include "fft/pencil_shapes.hpp"
#include "fft/rank_transform.hpp"
#include "fft/sphere/rank_sphere.hpp"
#include "fft/traffic.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fg::fft;

namespace {

using Corners = std::array<std::array<int, 3>, 2>;
using Strides = std::array<std::ptrdiff_t, 3>;
using AnyArray = nb::ndarray<nb::device::cpu>;
template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

GridBox box_of(const Corners& corners) {
  const GridBox box{corners[0], corners[1]};
  return box.empty() ? GridBox{} : box;
}

std::vector<GridBox> boxes_of(const std::vector<Corners>& all) {
  std::vector<GridBox> boxes;
  boxes.reserve(all.size());
  for (const Corners& corners : all) boxes.push_back(box_of(corners));
  return boxes;
}

Direction direction_of(bool forward) {
  return forward ? Direction::forward : Direction::backward;
}

template <class T>
ArrayTransform task_of(const Array<T>& points, std::vector<int> axes, bool forward, double factor) {
  ArrayTransform task{{}, std::move(axes), direction_of(forward), factor};
  for (std::size_t k = 0; k < points.ndim(); ++k)
    task.shape.push_back(static_cast<std::ptrdiff_t>(points.shape(k)));
  return task;
}

template <class Real>
void add_array_transforms(nb::module_& module) {
  using Complex = std::complex<Real>;
  module.def(
      "transform_array",
      [](Array<const Complex> in, Array<Complex> out, std::vector<int> axes, bool forward,
         double factor) {
        const ArrayTransform task = task_of(in, std::move(axes), forward, factor);
        const nb::gil_scoped_release free_interpreter;
        transform_array<Real>(task, in.data(), out.data());
      },
      "in"_a, "out"_a, "axes"_a, "forward"_a, "factor"_a);
  module.def(
      "transform_real_array",
      [](Array<const Real> in, Array<Complex> out, std::vector<int> axes, double factor) {
        const ArrayTransform task = task_of(in, std::move(axes), true, factor);
        const nb::gil_scoped_release free_interpreter;
        transform_real_array<Real>(task, in.data(), out.data());
      },
      "in"_a, "out"_a, "axes"_a, "factor"_a);
  module.def(
      "transform_array_to_real",
      [](Array<const Complex> in, Array<Real> out, std::vector<int> axes, double factor) {
        const ArrayTransform task = task_of(out, std::move(axes), false, factor);
        const nb::gil_scoped_release free_interpreter;
        transform_array_to_real<Real>(task, in.data(), out.data());
      },
      "in"_a, "out"_a, "axes"_a, "factor"_a);
}

TransformBoxes transform_boxes(const Grid& grid, bool real, const std::vector<Corners>& points,
                               const std::vector<Corners>& waves,
                               const std::optional<std::array<int, 2>>& parts) {
  return {grid, real ? Kind::real : Kind::complex, boxes_of(points), boxes_of(waves), parts};
}

using Bytes = nb::ndarray<nb::numpy, std::uint8_t>;

Bytes as_bytes(std::byte* data, std::size_t size, nb::handle owner) {
  return Bytes(reinterpret_cast<std::uint8_t*>(data), {size}, owner);
}

/// The memory of all parcels, and for each its rank, its place there and its size, in bytes.
nb::tuple as_one_buffer(std::span<const Parcel> parcels, nb::handle owner) {
  nb::list list;
  if (parcels.empty()) return nb::make_tuple(as_bytes(nullptr, 0, owner), list);
  std::byte* const first = parcels.front().data;
  for (const Parcel& parcel : parcels)
    list.append(nb::make_tuple(parcel.rank, parcel.data - first, parcel.bytes));
  const Parcel& last = parcels.back();
  const auto size = static_cast<std::size_t>(last.data - first) + last.bytes;
  return nb::make_tuple(as_bytes(first, size, owner), list);
}

/// (rank, bytes) of each parcel.
nb::list as_buffers(std::span<const Parcel> parcels, nb::handle owner) {
  nb::list list;
  for (const Parcel& parcel : parcels)
    list.append(nb::make_tuple(parcel.rank, as_bytes(parcel.data, parcel.bytes, owner)));
  return list;
}

/// What the parts of all kinds of transforms have in common.
template <class Part>
nb::class_<Part> add_part(nb::module_& module, const char* name) {
  return nb::class_<Part>(module, name)
      .def("begin",
           [](Part& self, bool forward, const AnyArray& from, const AnyArray& to) {
             const nb::gil_scoped_release free_interpreter;
             self.begin(direction_of(forward), from.data(), to.data());
           })
      .def("done", &Part::done)
      .def("sends", [](nb::handle self) { return as_buffers(nb::cast<Part&>(self).sends(), self); })
      .def("receives",
           [](nb::handle self) { return as_buffers(nb::cast<Part&>(self).receives(), self); })
      .def("sends_together",
           [](nb::handle self) { return as_one_buffer(nb::cast<Part&>(self).sends(), self); })
      .def("receives_together",
           [](nb::handle self) { return as_one_buffer(nb::cast<Part&>(self).receives(), self); })
      .def("unpack", nb::overload_cast<std::size_t>(&Part::unpack),
           nb::call_guard<nb::gil_scoped_release>())
      .def("proceed", &Part::proceed, nb::call_guard<nb::gil_scoped_release>())
      .def("exchanges", &Part::exchanges)
      .def("sent_bytes", &Part::sent_bytes)
      .def("memory", &Part::memory);
}

/// What is remembered of ways to exchange: see exchange_memory.hpp.
void add_exchange_memory(nb::module_& module) {
  module.def("exchange_file", [] { return exchange_file().string(); });
  module.def("recall_exchange", [](const std::string& key) {
    const Recollection found = recall_exchange(exchange_file(), key);
    std::optional<std::pair<std::string, std::array<int, 2>>> choice;
    if (found.choice) choice.emplace(found.choice->travel, found.choice->parts);
    return std::pair(choice, found.trouble);
  });
  module.def("remember_exchange",
             [](const std::string& key, const std::string& travel, const std::array<int, 2>& parts,
                const std::vector<std::pair<std::string, double>>& microseconds) {
               return remember_exchange(exchange_file(), key, {travel, parts, microseconds});
             });
}

template <class Real>
void add_rank_transform(nb::module_& module, const char* name) {
  using Part = RankTransform<Real>;
  add_part<Part>(module, name)
      .def("__init__", [](Part* self, std::shared_ptr<TransformPlan> plan, int rank,
                          const Strides& points, std::size_t points_distance, const Strides& waves,
                          std::size_t waves_distance, int batch, bool as_float) {
        const auto r = static_cast<std::size_t>(rank);
        const GridBox in = r < plan->boxes().in.size() ? plan->boxes().in[r] : GridBox{};
        const GridBox out = r < plan->boxes().out.size() ? plan->boxes().out[r] : GridBox{};
        new (self)
            Part(std::move(plan), rank, {{in, points}, points_distance},
                 {{out, waves}, waves_distance}, batch, as_float ? Wire::as_float : Wire::exact);
      });
}

/// Arrays are contiguous.
template <class Real>
void add_rank_sphere(nb::module_& module, const char* name) {
  using Part = RankSphere<Real>;
  add_part<Part>(module, name)
      .def("__init__", [](Part* self, std::shared_ptr<SpherePlan> plan, int rank, int batch) {
        const auto r = static_cast<std::size_t>(rank);
        const Storage points =
            r < plan->points().size() ? dense_storage(plan->points()[r]) : Storage{};
        new (self) Part(std::move(plan), rank, points, batch);
      });
}

std::shared_ptr<SpherePlan> make_sphere_plan(const Grid& grid, const ReciprocalVectors& vectors,
                                             double cutoff, bool half,
                                             const std::vector<Corners>& points) {
  return std::make_shared<SpherePlan>(
      WaveSphere(grid, vectors, cutoff, half ? SphereKind::half : SphereKind::full),
      boxes_of(points));
}

}  // namespace

void add_transforms(nb::module_& module) {
  add_array_transforms<float>(module);
  add_array_transforms<double>(module);
  nb::class_<TransformPlan>(module, "TransformPlan")
      .def(nb::new_([](const Grid& grid, bool real, const std::vector<Corners>& points,
                       const std::vector<Corners>& waves,
                       const std::optional<std::array<int, 2>>& parts) {
             return std::make_shared<TransformPlan>(
                 transform_boxes(grid, real, points, waves, parts));
           }),
           "grid"_a, "real"_a, "points"_a, "waves"_a, "parts"_a)
      .def_prop_ro("parts", [](const TransformPlan& plan) { return plan.parts(); })
      .def("largest_share", &largest_share)
      .def("turns",  // of a batch: (fields, first, step, end) of each part; see batch_cut.hpp
           [](const TransformPlan& plan, int batch, bool single, bool one_at_a_time) {
             const bool real = plan.boxes().kind == Kind::real;
             nb::list list;
             for (const BatchTurns& one : turns_of(
                      plan, batch, single ? element_size<float>(real) : element_size<double>(real),
                      one_at_a_time))
               list.append(nb::make_tuple(one.fields, one.first, one.step, one.end));
             return list;
           })
      .def("traffic", [](const TransformPlan& plan) {  // (messages, points, real) of each exchange
        nb::list list;
        for (const Traffic& one : traffic_of(plan))
          list.append(nb::make_tuple(one.messages, one.points, one.real));
        return list;
      });
  add_rank_transform<float>(module, "RankTransformFloat");
  add_rank_transform<double>(module, "RankTransformDouble");
  nb::class_<SpherePlan>(module, "SpherePlan")
      .def(nb::new_(&make_sphere_plan), "grid"_a, "vectors"_a, "cutoff"_a, "half"_a, "points"_a)
      .def("waves_of", &SpherePlan::waves_of)
      .def("indices_of", &SpherePlan::indices_of)
      .def_prop_ro("waves", [](const SpherePlan& plan) { return plan.sphere().waves(); });
  add_rank_sphere<float>(module, "RankSphereFloat");
  add_rank_sphere<double>(module, "RankSphereDouble");
  const auto corners = [](const std::vector<GridBox>& boxes) {
    std::vector<Corners> all;
    all.reserve(boxes.size());
    for (const GridBox& box : boxes) all.push_back({box.low, box.high});
    return all;
  };
  module.def("bricks", [=](const Grid& grid, const std::array<int, 3>& parts) {
    return corners(bricks(grid, parts));
  });
  module.def("pencil_parts", &pencil_parts);
  module.def("squarest_parts", &squarest_parts);
  module.def("pencil_shapes",
             [](const Grid& grid, bool real, const std::vector<Corners>& points,
                const std::vector<Corners>& waves, const std::optional<std::array<int, 2>>& parts) {
               return pencil_shapes(transform_boxes(grid, real, points, waves, parts));
             });
  add_exchange_memory(module);
  module.def("boxes_for_sphere",
             [=](const Grid& grid, int ranks) { return corners(boxes_for_sphere(grid, ranks)); });
}
