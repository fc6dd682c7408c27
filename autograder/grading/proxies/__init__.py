"""The judge's end of the wire: what stands here for things that live in a worker."""
