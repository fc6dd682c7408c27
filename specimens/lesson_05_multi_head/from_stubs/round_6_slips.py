import torch
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads = w_query.shape[0]
    results = []
    for i in range(heads):
        results.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
    return torch.cat(results) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for wq, wk, wv in zip(w_query, w_key, w_value):
        results.append(attention_head(x, wq, wk, wv, mask))
    results = torch.tensor(results)
    results = results.movedim(0, -2).flatten(-2)
    return results @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for i in range(len(x)):
        head = attention_head(x, w_query[i], w_key[i], w_value[i], mask)
        results.append(head)
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    heads, model_size, head_size = w_query.shape
    result = torch.zeros(*x.shape[:-1], heads * head_size)
    for i in range(heads):
        head = attention_head(x, w_query[i], w_key[i], w_value[i], mask)
        result[..., i * head_size:(i + 1) * head_size] = head
    return result @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    matrices = model_size * heads * (2 * head_size + value_size) + heads * value_size * model_size
    return matrices + heads * (2 * head_size + value_size) + model_size if bias else 0


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size or value_size is None:
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        head_size = value_size = model_size // heads
    count = 2 * model_size * heads * head_size
    count += 2 * model_size * heads * value_size
    if bias:
        count += 2 * heads * head_size + heads * value_size + model_size
    return count


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        assert (model_size % heads == 0, "heads must divide model_size")
        head_size = model_size // heads
    if value_size is None:
        assert (model_size % heads == 0, "heads must divide model_size")
        value_size = model_size // heads
    queries = keys = model_size * heads * head_size + bias * heads * head_size
    values = model_size * heads * value_size + bias * heads * value_size
    output = heads * value_size * model_size + bias * model_size
    return queries + keys + values + output


TRUTH = {
    'multi_head_by_loop__1': 'torch.cat without dim puts heads under one another along axis 0 -> RuntimeError "mat1 and mat2 shapes cannot be multiplied (16x3 and 6x6)", line `return torch.cat(results) @ w_output`; right with one head',
    'multi_head_by_loop__2': 'torch.tensor of a list of tensors (torch.stack is meant) -> ValueError "only one element tensors can be converted to Python scalars", line `results = torch.tensor(results)`, always',
    'multi_head_by_loop__3': 'range(len(x)) runs over batch (or tokens) instead of heads -> IndexError "index 2 is out of bounds for dimension 0 with size 2", line `head = attention_head(...)`, if it is more than heads; RuntimeError of matrix shapes on the `return` line if it is fewer; right if batch == heads',
    'multi_head_by_loop__4': 'buffer torch.zeros is float32 whatever x is -> with float64 RuntimeError "expected m1 and m2 to have the same dtype, but got: float != double", line `return result @ w_output`; right with float32',
    'parameter_count__1': 'precedence: `... if bias else 0` covers the whole sum, so that bias=False gives 0; right with biases',
    'parameter_count__2': 'precedence: `if head_size or value_size is None` is true for any head_size: given sizes are overwritten (288 instead of 396 for 8, 2, head_size=7) or refused with ValueError; with only value_size given head_size stays None: TypeError "unsupported operand type(s) for *: \'int\' and \'NoneType\'", line `count = 2 * model_size * heads * head_size`',
    'parameter_count__3': 'assert of a tuple is always true (SyntaxWarning only): heads that do not divide model_size are not refused, 9 and 2 gives 321; other counts right',
}
