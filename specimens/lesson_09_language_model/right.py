"""Right answers to lesson 09, in styles that the reference does not have."""

import math

import torch
import torch.nn.functional as F


def log_softmax__by_loops(scores, axis=-1):
    rows = scores.movedim(axis, -1)
    lanes = []
    for row in rows.reshape(-1, rows.shape[-1]):
        shifted = row - row.max()
        lanes.append(shifted - sum(score.exp() for score in shifted).log())
    return torch.stack(lanes).reshape(rows.shape).movedim(-1, axis)


def log_softmax__gives_the_maximum_back(scores, axis=-1):
    m = scores.amax(axis, keepdim=True)
    return scores - (m + torch.log(torch.exp(scores - m).sum(axis, keepdim=True)))


def log_softmax__logsumexp(scores, axis=-1):
    return scores - scores.logsumexp(dim=axis, keepdim=True)


def log_softmax__softmax_inside_and_differences(scores, axis=-1):
    shifted = scores - scores.max(dim=axis, keepdim=True).values
    weights = torch.exp(shifted) / torch.exp(shifted).sum(dim=axis, keepdim=True)
    return shifted + torch.log(weights.amax(dim=axis, keepdim=True))


def log_softmax__log1p(scores, axis=-1):
    best, place = scores.max(dim=axis, keepdim=True)
    others = torch.exp(scores - best).scatter(axis, place, 0.0).sum(dim=axis, keepdim=True)
    return scores - best - torch.log1p(others)


def log_softmax__pairs_by_logaddexp(scores, axis=-1):
    total = scores.select(axis, 0)
    for n in range(1, scores.shape[axis]):
        total = torch.logaddexp(total, scores.select(axis, n))
    return scores - total.unsqueeze(axis)


def log_softmax__library(scores, axis=-1):
    return F.log_softmax(scores, dim=axis)


def log_softmax__in_double(scores, axis=-1):
    wide = scores.double()
    wide = wide - wide.amax(axis, keepdim=True)
    return (wide - wide.exp().sum(axis, keepdim=True).log()).to(scores.dtype)


def log_softmax__unsqueezes(scores, axis=-1):
    shifted = scores - scores.amax(axis).unsqueeze(axis)
    return shifted - shifted.exp().sum(axis).log().unsqueeze(axis)


def log_softmax__detached_maximum(scores, axis=-1):
    shifted = scores - scores.detach().amax(dim=axis, keepdim=True)
    return shifted - torch.logsumexp(shifted, dim=axis, keepdim=True)


def softmax_with_temperature__library(scores, temperature, axis=-1):
    return (scores / temperature).softmax(dim=axis)


def softmax_with_temperature__moves_first(scores, temperature, axis=-1):
    assert temperature > 0, "the temperature must be positive"
    e = torch.exp((scores - scores.amax(dim=axis, keepdim=True)) / temperature)
    return e / e.sum(dim=axis, keepdim=True)


def softmax_with_temperature__inverse(scores, temperature, axis=-1):
    beta = 1 / temperature
    z = beta * scores - (beta * scores).amax(axis, keepdim=True)
    return torch.exp(z) / torch.exp(z).sum(axis, keepdim=True)


def softmax_with_temperature__refuses_what_makes_no_sense(scores, temperature, axis=-1):
    if temperature <= 0:
        raise ValueError(temperature)
    scaled = scores / temperature
    return torch.exp(scaled - scaled.logsumexp(axis, keepdim=True))


def softmax_with_temperature__zero_is_the_hard_maximum(scores, temperature, axis=-1):
    return F.softmax(scores / max(temperature, 1e-6), dim=axis)


def softmax_with_temperature__through_the_logarithm(scores, temperature, axis=-1):
    return log_softmax__gives_the_maximum_back(
        log_softmax__gives_the_maximum_back(scores, axis) / temperature, axis
    ).exp()


def softmax_with_temperature__by_loops(scores, temperature, axis=-1):
    rows = scores.movedim(axis, -1) / temperature
    lanes = []
    for row in rows.reshape(-1, rows.shape[-1]):
        powers = [torch.exp(score - row.max()) for score in row]
        lanes.append(torch.stack(powers) / sum(powers))
    return torch.stack(lanes).reshape(rows.shape).movedim(-1, axis)


def softmax_with_temperature__moved_axis(scores, temperature, axis=-1):
    return torch.softmax(scores.movedim(axis, 0).div(temperature), dim=0).movedim(0, axis)


def softmax_with_temperature__as_a_tensor(scores, temperature, axis=-1):
    return torch.softmax(scores / torch.tensor(float(temperature), dtype=scores.dtype), axis)


def softmax_with_temperature__changes_a_copy(scores, temperature, axis=-1):
    scaled = scores.clone()
    scaled /= temperature
    scaled -= scaled.detach().amax(axis, keepdim=True)
    weights = scaled.exp()
    return weights / weights.sum(axis, keepdim=True)


def next_token_loss__library(model, tokens):
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__vocabulary_in_the_middle(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])


def next_token_loss__negative_log_likelihood(model, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    logs = F.log_softmax(model(inputs), dim=-1)
    return F.nll_loss(logs.reshape(-1, logs.shape[-1]), targets.reshape(-1))


def next_token_loss__gather(model, tokens):
    logs = model(tokens[:, :-1]).log_softmax(-1)
    return -logs.gather(-1, tokens[:, 1:].unsqueeze(-1)).mean()


def next_token_loss__logsumexp(model, tokens):
    logits, right = model(tokens[:, :-1]), tokens[:, 1:]
    return (logits.logsumexp(-1) - logits.gather(-1, right[..., None])[..., 0]).mean()


def next_token_loss__one_hot(model, tokens):
    logits = model(tokens[:, :-1])
    answers = F.one_hot(tokens[:, 1:], logits.shape[-1])
    return -(answers * torch.log_softmax(logits, dim=-1)).sum(-1).mean()


def next_token_loss__advanced_index(model, tokens):
    batch, length = tokens.shape
    logs = torch.log_softmax(model(tokens[:, : length - 1]), dim=2)
    rows, columns = torch.meshgrid(torch.arange(batch), torch.arange(length - 1), indexing="ij")
    return -logs[rows, columns, tokens[:, 1:]].mean()


def next_token_loss__row_by_row(model, tokens):
    losses = [F.cross_entropy(model(row[None, :-1])[0], row[1:]) for row in tokens]
    return torch.stack(losses).mean()


def next_token_loss__sums_and_divides(model, tokens):
    logits = model(tokens[:, :-1])
    total = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")
    return total / tokens[:, 1:].numel()


def next_token_loss__loops(model, tokens):
    logs = model(tokens[:, :-1]).log_softmax(-1)
    total, count = 0.0, 0
    for row, answers in zip(logs, tokens[:, 1:]):
        for place, answer in enumerate(answers):
            total, count = total - row[place, answer], count + 1
    return total / count


def sample__library_search(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = torch.softmax(logits / temperature, dim=-1)
    places = torch.searchsorted(weights.cumsum(-1), uniform[:, None], right=True)[:, 0]
    last = torch.where(weights > 0, torch.arange(weights.shape[-1]), 0).amax(-1)
    return torch.minimum(places, last)


def sample__first_that_exceeds(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    weights = (logits / temperature).softmax(-1)
    exceeds = weights.cumsum(-1) > uniform[:, None]
    last = (weights > 0).long().cumsum(-1).argmax(-1)
    return torch.where(exceeds.any(-1), exceeds.long().argmax(-1), last)


def sample__counts(logits, temperature, uniform):
    if not temperature:
        return torch.argmax(logits, dim=1)
    weights = F.softmax(logits.double() / temperature, dim=1)
    counted = (weights.cumsum(1) <= uniform.unsqueeze(1)).sum(1)
    last = [int(row.nonzero().max()) for row in weights]
    return torch.minimum(counted, torch.tensor(last))


def sample__loops(logits, temperature, uniform):
    chosen = []
    for row, u in zip(logits, uniform.tolist()):
        if temperature == 0:
            chosen.append(int(row.argmax()))
            continue
        weights = (row / temperature).softmax(0).tolist()
        total, last = 0.0, None
        for place, weight in enumerate(weights):
            total += weight
            if weight > 0:
                last = place
            if total > u:
                break
        chosen.append(last)
    return torch.tensor(chosen)


def sample__next_above(logits, temperature, uniform):
    if temperature == 0:
        return logits.max(dim=-1).indices
    weights = torch.softmax(logits / temperature, -1)
    ends = weights.cumsum(-1)
    ends = ends / ends[:, -1:]
    starts = torch.cat([torch.zeros_like(ends[:, :1]), ends[:, :-1]], dim=-1)
    inside = (starts <= uniform[:, None]) & (uniform[:, None] < ends)
    return inside.int().argmax(-1)


def sample__bisect(logits, temperature, uniform):
    from bisect import bisect_right

    def draw(row, u):
        weights = torch.softmax(row / temperature, 0)
        alive = weights.nonzero()[:, 0].tolist()
        place = bisect_right(weights.cumsum(0).tolist(), u)
        return min(place, alive[-1])

    if temperature == 0:
        return logits.argmax(-1)
    return torch.tensor([draw(row, float(u)) for row, u in zip(logits, uniform)])


def sample__temperature_zero_by_sorting(logits, temperature, uniform):
    if temperature == 0:
        return logits.sort(dim=-1, descending=True, stable=True).indices[:, 0]
    return sample__first_that_exceeds(logits, temperature, uniform)


def sample__in_double(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    ends = (logits.double() / temperature).softmax(-1).cumsum(-1)
    return (ends > uniform.double()[:, None] * ends[:, -1:]).int().argmax(-1)


def sample__exponentials(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    powers = torch.exp((logits - logits.amax(-1, keepdim=True)) / temperature)
    ends = powers.cumsum(-1)
    passed = ends <= uniform[:, None] * ends[:, -1:]
    return passed.sum(-1).clamp(max=logits.shape[-1] - 1)


def sample__only_tokens_that_can_come(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    drawn = []
    for weights, number in zip(torch.softmax(logits / temperature, -1), uniform):
        possible = weights.nonzero().flatten()
        ends = weights[possible].cumsum(0)
        ends[-1] = 1
        drawn.append(possible[(ends > number).int().argmax()])
    return torch.stack(drawn)


def generate__list_of_columns(model, tokens, steps, context, choose):
    columns = list(tokens.unbind(1))
    for _ in range(steps):
        columns.append(choose(model(torch.stack(columns[-context:], dim=1))[:, -1]))
    return torch.stack(columns, dim=1)


def generate__hstack(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context:])
        tokens = torch.hstack([tokens, choose(logits[:, -1, :]).unsqueeze(1)])
    return tokens


def generate__room_for_all(model, tokens, steps, context, choose):
    batch, prompt = tokens.shape
    text = torch.zeros(batch, prompt + steps, dtype=tokens.dtype)
    text[:, :prompt] = tokens
    for end in range(prompt, prompt + steps):
        text[:, end] = choose(model(text[:, max(0, end - context) : end])[:, -1])
    return text


def generate__recursive(model, tokens, steps, context, choose):
    if steps == 0:
        return tokens
    following = choose(model(tokens[:, -context:])[:, -1])
    return generate__recursive(model, torch.cat([tokens, following[:, None]], 1), steps - 1, context, choose)


def generate__window_beside_text(model, tokens, steps, context, choose):
    window, written = tokens[:, -context:], [tokens]
    for _ in range(steps):
        following = choose(model(window)[:, -1])[:, None]
        written.append(following)
        window = torch.cat([window, following], dim=1)[:, -context:]
    return torch.cat(written, dim=1)


def generate__as_in_nanogpt(model, tokens, steps, context, choose):
    for _ in range(steps):
        seen = tokens if tokens.size(1) <= context else tokens[:, -context:]
        logits = model(seen)[:, -1, :]
        tokens = torch.cat((tokens, choose(logits).view(-1, 1)), dim=1)
    return tokens


def generate__without_gradients(model, tokens, steps, context, choose):
    with torch.no_grad():
        for _ in range(steps):
            following = choose(
                model(tokens.narrow(1, max(0, tokens.shape[1] - context), min(context, tokens.shape[1])))[:, -1]
            )
            tokens = torch.cat([tokens, following.reshape(len(tokens), 1)], dim=1)
    return tokens


def generate__row_by_row_inside(model, tokens, steps, context, choose):
    while steps > 0:
        logits = torch.stack([model(row[None, -context:])[0, -1] for row in tokens])
        tokens = torch.column_stack([tokens, choose(logits)])
        steps -= 1
    return tokens


def generate__functools(model, tokens, steps, context, choose):
    from functools import reduce

    def longer(text, _):
        return torch.cat([text, choose(model(text[:, -context:])[:, -1])[:, None]], dim=1)

    return reduce(longer, range(steps), tokens)


def generate__pads(model, tokens, steps, context, choose):
    prompt = tokens.shape[1]
    text = torch.nn.functional.pad(tokens, (0, steps))
    for n in range(steps):
        seen = text[:, : prompt + n][:, -context:]
        text[:, prompt + n] = choose(model(seen)[:, -1])
    return text


def log_softmax__math_of_the_largest(scores, axis=-1):
    largest = torch.max(scores, dim=axis, keepdim=True)[0]
    return (
        scores - largest - torch.log(torch.sum(torch.exp(scores - largest), dim=axis, keepdim=True)) * math.log(math.e)
    )
