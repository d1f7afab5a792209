"""Foresight: what a machine does in a thousand hours, from a few simulated repetitions of what it does."""

from linkwork.foresee.forecast import Forecast
from linkwork.foresee.prediction import predict

__all__ = ["Forecast", "predict"]
