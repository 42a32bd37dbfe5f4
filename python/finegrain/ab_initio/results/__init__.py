# SPDX-License-Identifier: BSD-3-Clause
"""The results of an ab initio run: summary, pictures, conversion, references."""
