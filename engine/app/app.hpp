// SPDX-License-Identifier: BSD-3-Clause
//
// The namespace of jobs, output and whole simulations.
#pragma once

namespace fg::app {}
