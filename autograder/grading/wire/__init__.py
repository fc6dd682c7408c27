"""What examiner and worker say to each other: arrays, plain values, and numbers that refer to objects."""
