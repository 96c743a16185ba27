"""The pages that lead to all others."""
import html

from markup import Markup
from pages import document


class Top:
    """The place of a page at the top of the site, which others are seen from."""

    path = "index.html"

    def __init__(self, page):
        self.data = page.data
        self.references = page.references


def write_index(folder, archives, sources):
    """The first page: each library with its articles and types."""

    def abstract(page):
        return Markup(Top(page), archives, sources).inline(page.data.get("abstract", []))

    parts = [
        "<h1>DevicePermissions</h1>",
        '<p class="abstract">Device permissions for Linux: may this program use the camera, why'
        " not, and what is the least that changes it.</p>",
        '<p>Every declaration, from A to Z: <a href="symbols.html">all symbols</a>.</p>',
    ]
    for module in archives.modules:
        pages = archives.of_module(module)
        parts.append(
            f'<h2><a href="{module.path}">{html.escape(module.title)}</a></h2>'
            f"<p>{abstract(module)}</p>")
        articles = sorted(
            (page for page in pages if page.is_article),
            key=lambda page: (len(page.ancestors), page.title))
        if articles:
            parts.append('<dl class="topics">' + "".join(
                f'<dt><a href="{page.path}">{html.escape(page.title)}</a></dt>'
                f"<dd>{abstract(page)}</dd>" for page in articles) + "</dl>")
        types = [page for page in pages if page.is_symbol and len(page.ancestors) == 1]
        if types:
            parts.append('<ul class="columns">' + "".join(
                f'<li><a href="{page.path}"><code>{html.escape(page.title)}</code></a></li>'
                for page in sorted(types, key=lambda page: page.title.lower())) + "</ul>")
    (folder / "index.html").write_text(
        document("DevicePermissions", "", "", "\n".join(parts)), encoding="utf-8")


def write_symbols(folder, archives):
    """Every declaration by its name."""
    pages = sorted(
        (page for page in archives.all if page.is_symbol),
        key=lambda page: (page.title.lower(), page.path))
    parts = ["<h1>All symbols</h1>"]
    letter = None
    for page in pages:
        first = page.title[0].upper()
        first = first if first.isalpha() else "Operators"
        if first != letter:
            if letter:
                parts.append("</ul>")
            letter = first
            parts.append(f'<h2 id="{letter}">{letter}</h2><ul class="columns">')
        # doc://MODULE/documentation/MODULE/TYPE/MEMBER
        place = " › ".join(page.data["identifier"]["url"].split("/")[4:-1])
        parts.append(
            f'<li><a href="{page.path}"><code>{html.escape(page.title)}</code></a>'
            f" <small>{html.escape(place)}</small></li>")
    if letter:
        parts.append("</ul>")
    (folder / "symbols.html").write_text(
        document("All symbols", "", " › All symbols", "\n".join(parts)), encoding="utf-8")
