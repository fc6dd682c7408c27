"""What a check returns."""


class Mark(float):
    """Points. A notebook shows the card; nbgrader reads the number, which is therefore all that repr says."""

    def __new__(cls, points, card):
        mark = super().__new__(cls, points)
        mark.card = card
        return mark

    def __getnewargs__(self):
        return float(self), self.card

    def _repr_html_(self):
        return self.card._repr_html_()
