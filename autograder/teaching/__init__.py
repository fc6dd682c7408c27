"""What an instructor does around grading: here, giving back feedback and marks."""
