# SPDX-License-Identifier: BSD-3-Clause
"""A look at the machine before the run."""

from finegrain.planning.job_traffic import JobTraffic, traffic_of_job
from finegrain.planning.placements import Placement, PlacementPlan, plan_places

__all__ = ["JobTraffic", "Placement", "PlacementPlan", "plan_places", "traffic_of_job"]
