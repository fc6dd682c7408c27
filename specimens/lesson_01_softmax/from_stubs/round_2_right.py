import numpy as np
import torch
from mha_ref import weighted_mean


def softmax__1(scores, axis=-1):
    # online softmax: walk along the axis with running maximum and running sum
    lanes = np.moveaxis(scores, axis, 0).astype(np.float64)
    biggest = np.full(lanes.shape[1:], -np.inf)
    total = np.zeros(lanes.shape[1:])
    with np.errstate(over="ignore"):
        for lane in lanes:
            now = np.maximum(biggest, lane)
            total = total * np.exp(biggest - now) + np.exp(lane - now)
            biggest = now
        weights = np.exp(lanes - biggest) / total
    return np.moveaxis(weights, 0, axis).astype(scores.dtype)


def softmax__2(scores, axis=-1):
    # torch does it; through float64 so that half precision loses nothing
    copy = torch.tensor(np.array(scores, dtype=np.float64))
    result = torch.nn.functional.softmax(copy, dim=axis)
    return result.numpy().astype(scores.dtype)


WHY = {
    "softmax__1": "online softmax in float64 along a moved axis, cast back",
    "softmax__2": "torch built-in on a float64 copy",
}
