"""Finds links between the pages of a folder that lead nowhere."""
import html.parser
import posixpath
import urllib.parse


class Reader(html.parser.HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text):
        super().__init__()
        self.links = set()
        self.anchors = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.add(value)


def dead_links(folder):
    """A line for each dead link; links to other places than files are left alone."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*.*")}
    pages = {
        path: Reader(file.read_text(encoding="utf-8"))
        for path, file in files.items() if path.endswith(".html")
    }
    faults = []
    for path, page in sorted(pages.items()):
        for href in sorted(page.links):
            parts = urllib.parse.urlsplit(href)
            if parts.scheme or parts.netloc:
                continue
            target = path
            if parts.path:
                target = posixpath.normpath(
                    posixpath.join(posixpath.dirname(path), urllib.parse.unquote(parts.path)))
            if target not in files:
                faults.append(f"{path}: no file for the link {href}")
            elif parts.fragment and target in pages:
                anchor = urllib.parse.unquote(parts.fragment)
                if anchor not in pages[target].anchors:
                    faults.append(f"{path}: no place for the link {href}")
    return faults
