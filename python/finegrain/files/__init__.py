# SPDX-License-Identifier: BSD-3-Clause
"""Files that are read and written: plain ones only, HDF5 with sound texts, seals, whole files."""
