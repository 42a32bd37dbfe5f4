# SPDX-License-Identifier: BSD-3-Clause
"""A look at the machine before the run."""

from finegrain.planning.job_traffic import JobTraffic, traffic_of_job
from finegrain.planning.known_machines import known_machine, known_machines
from finegrain.planning.placements import (
    USUAL_RELIEF,
    Placement,
    PlacementPlan,
    plan_places,
)
from finegrain.planning.prediction import (
    StepPrediction,
    divided_jobs,
    predict_step,
    simulated_seconds,
)
from finegrain.planning.prediction_report import Predictions

__all__ = [
    "USUAL_RELIEF",
    "JobTraffic",
    "Placement",
    "PlacementPlan",
    "Predictions",
    "StepPrediction",
    "divided_jobs",
    "known_machine",
    "known_machines",
    "plan_places",
    "predict_step",
    "simulated_seconds",
    "traffic_of_job",
]
