// SPDX-License-Identifier: BSD-3-Clause
//
// The pencils as chares. Each counts the messages it awaits and works when the last has come; the
// order in which they come changes nothing. No step can overtake another: whoever sends for the
// next step has had this pencil's answer for the present one.
#pragma once

#include <memory>
#include <vector>

#include "forces/mesh/mesh_messages.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/pencil_lines.hpp"

namespace fg {

/// Adds up charges, and gives potentials back.
template <class Real>
class ZPencil final : public Chare<ZPencil<Real>, 2> {
 public:
  ZPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(Ref<const ChargeBlockMessage<Real>> message);  // from each spreader
  void potential(Ref<const SpectrumMessage<Real>> message);   // from each y-pencil of the row

  void archive(Archive&) override {}  // between two steps nothing is under way

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
  std::vector<Sender> senders_;  // of this step, as they came
  int fragments_ = 0;
  std::int64_t step_ = 0;
  StepKind kind_{};
};

template <class Real>
class YPencil final : public Chare<YPencil<Real>, 2> {
 public:
  YPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(Ref<const SpectrumMessage<Real>> message);    // from each z-pencil of the row
  void potential(Ref<const SpectrumMessage<Real>> message);  // from each x-pencil of the column

  void archive(Archive&) override {}  // between two steps nothing is under way

 private:
  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  YLines<Real> lines_;
  int charges_ = 0;
  int potentials_ = 0;
};

/// Turns the spectrum of the charges into that of the potential, and knows the energy.
template <class Real>
class XPencil final : public Chare<XPencil<Real>, 2> {
 public:
  XPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index);

  void charges(Ref<const SpectrumMessage<Real>> message);  // from each y-pencil of the column

  void archive(Archive&) override {}  // between two steps nothing is under way

 private:
  void deposit(std::int64_t step) const;

  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  XLines<Real> lines_;
  int fragments_ = 0;
};

extern template class ZPencil<float>;
extern template class ZPencil<double>;
extern template class YPencil<float>;
extern template class YPencil<double>;
extern template class XPencil<float>;
extern template class XPencil<double>;

}  // namespace fg
