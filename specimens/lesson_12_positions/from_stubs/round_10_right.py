"""Right answers to lesson 12 (round 10)."""

import cmath

import torch


def sinusoidal_positions__1(tokens, model_size):
    position = torch.arange(tokens, dtype=torch.float64)
    speed = torch.logspace(0, -4, model_size // 2 + 1, dtype=torch.float64)[:-1]  # 10000^(-j / model_size), base 10
    turned = torch.polar(torch.ones(tokens, model_size // 2, dtype=torch.float64), -torch.outer(position, speed))
    # i · (cos a - i · sin a) = sin a + i · cos a: the real part is the sine
    return torch.view_as_real(1j * turned).flatten(1).float()


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    speed = torch.tensor([base ** -(j / size) for j in range(0, size, 2)], dtype=torch.float64, device=x.device)
    angle = positions.to(x.device, torch.float64)[:, None] * speed
    # the derivative of the turn by a quarter turn: the turn itself is the exponential of it, written out as a 2 by 2 matrix
    still = torch.eye(2, dtype=torch.float64, device=x.device)
    quarter = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64, device=x.device)  # a row times it
    turns = angle.cos()[..., None, None] * still + angle.sin()[..., None, None] * quarter
    pairs = x.double().reshape(*x.shape[:-1], size // 2, 2)
    return torch.einsum("...tpi,tpij->...tpj", pairs, turns).reshape(x.shape).to(x.dtype)


def test_apply_rotary__1(apply_rotary):
    def turned(vector, position, base):
        # one vector, a list, with Python's complex numbers
        size = len(vector)
        result = []
        for j in range(0, size, 2):
            point = complex(vector[j], vector[j + 1]) * cmath.exp(1j * position / base ** (j / size))
            result += [point.real, point.imag]
        return result

    def call(*arguments, **named):
        try:
            return apply_rotary(*arguments, **named)
        except Exception as error:
            raise AssertionError(f"stopped with {error!r}") from error

    noise = torch.Generator().manual_seed(12)
    for shape, base in (((5, 8), None), ((2, 3, 7, 6), None), ((4, 3, 4), 50.0), ((1, 2), None), ((2, 1, 10), 10000.0)):
        tokens = shape[-2]
        x = torch.randn(shape, generator=noise)
        for positions in (torch.arange(tokens), torch.arange(tokens) + 9, torch.randint(0, 60, (tokens,), generator=noise)):
            before, positions_before = x.clone(), positions.clone()
            got = call(x, positions) if base is None else call(x, positions, base=base)
            assert isinstance(got, torch.Tensor) and got.shape == x.shape and got.is_floating_point(), "another shape or type"
            assert torch.equal(x, before) and torch.equal(positions, positions_before), "the inputs were changed"
            rows = x.reshape(-1, shape[-1]).tolist()
            places = positions.tolist() * (len(rows) // tokens)
            wanted = torch.tensor([turned(row, place, base or 10000.0) for row, place in zip(rows, places)]).reshape(shape)
            assert torch.allclose(got.to(wanted.dtype), wanted, rtol=1e-3, atol=1e-3), f"turned wrongly: {shape}, {positions}"

    # the scores themselves: one query, one key, at places of the same distance
    query, key = torch.randn(2, 1, 16, generator=noise)
    for distance in (0, 1, 5, -3):
        scores = [
            (call(query, torch.tensor([place])) * call(key, torch.tensor([place - distance]))).sum().item() for place in (5, 11, 40, 93)
        ]
        assert max(scores) - min(scores) < 1e-2, f"the score at distance {distance} depends on the place: {scores}"

    x = torch.randn(3, 4, generator=noise, requires_grad=True)
    result = call(x, torch.tensor([2, 0, 7]))
    assert result.requires_grad, "no gradient reaches x"
    (slope,) = torch.autograd.grad(result.square().sum(), x, allow_unused=True)
    assert slope is not None and torch.allclose(slope, 2 * x, rtol=1e-3, atol=1e-3), "a wrong gradient"


WHY = {
    "sinusoidal_positions__1": "complex numbers in float64: i times the conjugate of the turn has the sine as its real part; speeds from logspace",
    "apply_rotary__1": "a 2 by 2 matrix for each position and pair, cos · identity + sin · quarter turn, and one einsum in float64",
    "test_apply_rotary__1": "its own slow version with Python's complex numbers, and every error of the tested function becomes a failed assert",
}
