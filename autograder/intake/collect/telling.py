"""What a terminal shows of what was collected: a table that ends with what somebody should look at."""

from rich.table import Table
from rich.text import Text

from ..progress_output import harmless
from ..terminal import console
from .lines import EXCUSED, FINE, LOOK, MENDED, MISSING, REFUSED, SAME, TROUBLE, UNKNOWN, WITHOUT_GRADE, totals

ORDER = SAME, FINE, MENDED, EXCUSED, MISSING, LOOK, UNKNOWN, REFUSED, TROUBLE  # the last lines are those in sight
STYLES = {LOOK: "yellow", MISSING: "yellow"} | dict.fromkeys(WITHOUT_GRADE, "bold red")


def tell(collecting):
    """All that was collected, after it was shown. collecting: a Collected for each student, as they are looked at."""
    done, screen = [], console()
    with screen.status("Looking at what came in ...") as status:
        for line in collecting:
            done.append(line)
            status.update(f"{len(done)} looked at")
    done.sort(key=lambda line: (ORDER.index(line.state), line.student))
    screen.print(_table(done))
    screen.print(f"\n{totals(done)}", highlight=False)
    return done


def _table(lines):
    table = Table("student", "name", "", "what was found", box=None, pad_edge=False, header_style="dim")
    for line in lines:
        name = line.name if line.name != line.student else ""
        texts = (Text(harmless(text)) for text in (line.student, name, line.state, " ".join(line.about)))
        table.add_row(*texts, style=STYLES.get(line.state, ""))
    return table
