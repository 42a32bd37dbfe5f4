// SPDX-License-Identifier: BSD-3-Clause
//
// The pencils as chares. A z-pencil counts the blocks that it awaits. The transposes are exchanges,
// which call the target when the last fragment has arrived; the order of arrival does not matter.
// No step can overtake another: an object sends for the next step only after it has this pencil's
// answer for the present one.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "forces/mesh/mesh_messages.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/pencil_lines.hpp"

namespace fg {

/// Adds up charges, and sends potentials back.
template <class Real>
class ZPencil final : public Chare<ZPencil<Real>, 2> {
 public:
  static constexpr std::string_view array_name = "z-pencils";
  ZPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(Ref<const ChargeBlockMessage<Real>> message);  // from each spreader
  void potential(std::int64_t step);                          // from all y-pencils of the row

  void archive(Archive&) override {}  // no message is in flight between two steps

 private:
  struct Sender {
    std::int32_t spreader;
    fft::GridBox box;
  };

  void send_spectrum();
  void answer_spreaders();

  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  ZLines<Real> lines_;
  int spreaders_;
  std::vector<Sender> senders_;  // of this step, in order of arrival
  std::int64_t step_ = 0;
  FragmentHead head_{};
};

template <class Real>
class YPencil final : public Chare<YPencil<Real>, 2> {
 public:
  static constexpr std::string_view array_name = "y-pencils";
  YPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(std::int64_t step);    // from all z-pencils of the row
  void potential(std::int64_t step);  // from all x-pencils of the column

  void archive(Archive&) override {}  // no message is in flight between two steps

 private:
  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  YLines<Real> lines_;
};

/// Converts the spectrum of the charges to that of the potential, and computes the energy.
template <class Real>
class XPencil final : public Chare<XPencil<Real>, 2> {
 public:
  static constexpr std::string_view array_name = "x-pencils";
  XPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(std::int64_t step);  // from all y-pencils of the column

  void archive(Archive&) override {}  // no message is in flight between two steps

 private:
  void deposit(std::int64_t step);

  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  XLines<Real> lines_;
};

extern template class ZPencil<float>;
extern template class ZPencil<double>;
extern template class YPencil<float>;
extern template class YPencil<double>;
extern template class XPencil<float>;
extern template class XPencil<double>;

}  // namespace fg
