"""The judge's end of the wire: proxies for objects that live in a worker."""
