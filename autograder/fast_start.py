"""Imported before nbgrader, it saves each command a second.

For that long jsonschema would build a grammar of international URLs, where a package for it is installed.
No notebook has any to be checked.
"""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # as if it were not installed
