import numpy as np


def weighted_mean__1(weights, values):
    kind = np.result_type(weights, values)
    answer = np.zeros(weights.shape[:-1] + values.shape[-1:], dtype=np.float64)
    for number_of_key in range(values.shape[-2]):
        column = weights[..., :, number_of_key, np.newaxis].astype(np.float64)
        row = values[..., number_of_key, np.newaxis, :].astype(np.float64)
        answer += column * row
    return answer.astype(kind)


WHY = {"weighted_mean__1": "sum of outer products, one key at a time, float64 inside and cast back"}
