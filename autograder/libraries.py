"""What a lesson may use: those before the first one in torch are written in NumPy, by hand."""

from .catalogue import EXERCISES, LESSONS

# They have a softmax, or attention, ready to be called; beside them the folders that they bring along.
READY_MADE = (
    *("torch", "functorch", "torchgen", "torchvision", "torchaudio", "triton", "xformers", "transformers"),
    *("jax", "jaxlib", "flax", "haiku", "equinox", "optax"),
    *("keras", "tensorflow", "tf_keras", "onnx", "onnxruntime", "tinygrad", "mlx", "mxnet", "paddle"),
    *("scipy", "sklearn", "cupy", "cupyx", "autograd"),
)


def lacking(lesson):
    """The libraries that answers of this lesson may not use. With torch come all others, and they stay."""
    so_far = LESSONS[: LESSONS.index(lesson) + 1]
    in_torch = any(getattr(task, "library", "") == "torch" for task in EXERCISES.values() if task.lesson in so_far)
    return () if in_torch else READY_MADE
