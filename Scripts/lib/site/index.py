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


# The three entries of the start page: a title, an article, and the goal of the reader.
DOORS = [
    ("At a shell", "deviceaccesscommands/atashell.html",
     "Find out why a device is refused, fix it, and use the answer in scripts."),
    ("In a Swift program", "devicepermissions/cameraflow.html",
     "Ask for the camera and the album, and show answers that stay current."),
    ("In a test", "devicepermissionstesting/firsttest.html",
     "Describe cameras, users and sessions in a few lines, without hardware or root."),
]

# The libraries for users, in this order. The internal libraries follow.
LIBRARIES = [
    "DevicePermissions", "DevicePermissionsTesting", "LegoKit", "LegoTesting", "LegoPublishers",
    "LegoKeeping", "LegoSecrets", "LegoEndpoints", "LegoLinks"]

# The articles for users, by subject. Those of the last group explain the internals.
GUIDES = [
    ("Devices and permissions", ["devicepermissions", "devicepermissionstesting"]),
    ("The store", ["legokit", "legopublishers"]),
    ("Files, secrets, servers and links", [
        "legokeeping", "legosecrets", "legoendpoints", "legolinks"]),
    ("How it works", ["accessmodel"]),
]


def write_index(folder, archives, sources):
    """The first page: three doors, a search, the guides, and the libraries."""

    def abstract(page):
        return Markup(Top(page), archives, sources).inline(page.data.get("abstract", []))

    doors = [(title, archives.article(path), text) for title, path, text in DOORS]
    parts = [
        "<h1>devaccess</h1>",
        '<p class="abstract">Checks whether a program may use a device or the photo album, and shows why'
        " not and how to fix it. Answers for Linux, at a shell and in Swift programs.</p>",
        '<div class="doors">' + "".join(
            f'<a href="{page.path}"><strong>{html.escape(title)}</strong>{html.escape(text)}'
            "<small>ten minutes</small></a>" for title, page, text in doors) + "</div>",
        '<form id="search" role="search"><input type="search" name="q" autocomplete="off"'
        ' placeholder="Search pages and symbols" aria-label="Search pages and symbols"></form>',
        '<ol id="results"></ol>',
        '<p><img src="explain.svg" alt="The output of devaccess explain for a refused camera: the'
        ' checks on the path, the cause and the fixes"></p>',
    ]
    for title, modules in GUIDES:
        parts.append(f"<h2>{html.escape(title)}</h2>")
        articles = [
            page for module in modules for page in archives.all
            if page.module == module and page.is_article and len(page.ancestors) == 1
            and all(page is not door for _, door, _ in doors)]
        parts.append('<dl class="topics">' + "".join(
            f'<dt><a href="{page.path}">{html.escape(page.title)}</a></dt>'
            f"<dd>{abstract(page)}</dd>"
            for page in sorted(articles, key=lambda page: modules.index(page.module))) + "</dl>")
    order = {name: place for place, name in enumerate(LIBRARIES)}
    modules = sorted(
        archives.modules, key=lambda module: (order.get(module.title, len(order)), module.title))
    parts.append("<h2>Libraries</h2>")
    parts.append('<dl class="topics">' + "".join(
        f'<dt><a href="{module.path}"><code>{html.escape(module.title)}</code></a></dt>'
        f"<dd>{abstract(module)}</dd>" for module in modules) + "</dl>")
    parts.append('<p>Every declaration, from A to Z: <a href="symbols.html">all symbols</a>.</p>')
    parts.append('<script src="search-index.js"></script><script src="search.js"></script>')
    (folder / "index.html").write_text(
        document("devaccess", "", "", "\n".join(parts)), encoding="utf-8")


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
