"""What one can do with the layer: standardise every table of a list."""


def standardised(tables, layer):
    """Return what a layer makes of each table."""
    return [layer(table) for table in tables]
