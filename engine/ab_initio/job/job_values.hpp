// SPDX-License-Identifier: BSD-3-Clause
//
// Values of a job's file, within their limits; an error names file, object, value and limit.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/job/job_key.hpp"

namespace fg::ab_initio {

class JobValues {
 public:
  explicit JobValues(const h5::Reader& file) : file_(file) {}

 protected:
  [[noreturn]] void refuse(const std::string& what, const std::string& object,
                           const std::string& value, const std::string& limit) const {
    throw InputError({.what = what,
                      .where = file_.path() + ":" + object,
                      .value = value,
                      .limit = limit,
                      .hint = "make the job again with this version of finegrain"});
  }

  template <class T>
  T number(const std::string& object, const std::string& name, T least, T most) const {
    const T value = file_.number<T>(object, name);
    if (!(value >= least && value <= most))
      refuse("the attribute '" + name + "' is beyond its limits", object, std::to_string(value),
             std::to_string(least) + " to " + std::to_string(most));
    return value;
  }

  /// Reads the keys of an object; throws if a number is beyond its limits.
  template <class Owner, class... Keys>
  void take(const std::string& object, Owner& owner, const std::tuple<Keys...>& keys) const {
    read_keys(file_, object, owner, keys);
    if (const auto wrong = beyond_limits(owner, keys))
      refuse("the attribute '" + wrong->name + "' is beyond its limits", object, wrong->value,
             wrong->limit);
  }

  void require_finite(std::span<const double> values, const std::string& object) const {
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
      refuse("has a number that is not finite", object, "", "finite numbers");
  }

  /// One value for each ion.
  template <class Value>
  void require_one_each(const std::vector<Value>& values, const std::string& object,
                        const std::vector<Vec3>& positions) const {
    if (values.size() != positions.size())
      refuse("has another length than positions", object, std::to_string(values.size()),
             std::to_string(positions.size()));
  }

  std::vector<Vec3> vectors(const std::string& object) const {
    const auto flat = file_.array<double>(object, {3});
    require_finite(flat, object);
    std::vector<Vec3> result;
    for (std::size_t i = 0; i + 2 < flat.size(); i += 3)
      result.push_back({flat[i], flat[i + 1], flat[i + 2]});
    return result;
  }

  const h5::Reader& file_;
};

}  // namespace fg::ab_initio
