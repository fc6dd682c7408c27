"""What an instructor calls around grading: lessons go out as a kit, submissions come in, are looked at and mended."""
