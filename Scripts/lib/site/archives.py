"""The pages of DocC archives, and where each of them goes."""
import json
import re
import shutil


class Page:
    """One article or symbol."""

    def __init__(self, data):
        self.data = data
        self.metadata = data["metadata"]
        self.title = self.metadata["title"]
        self.references = data.get("references", {})
        self.url = data["variants"][0]["paths"][0] if data.get("variants") else None
        self.path = file_of(self.url)

    @property
    def is_module(self):
        return self.metadata.get("symbolKind") == "module"

    @property
    def is_article(self):
        """An article, or one that leads to others; not what DocC makes up for a type."""
        if self.data["kind"] != "article":
            return False
        return self.metadata.get("role") == "article" or len(self.ancestors) == 1

    @property
    def is_symbol(self):
        return self.data["kind"] == "symbol" and not self.is_module

    @property
    def module(self):
        return self.path.split("/")[0].removesuffix(".html")

    @property
    def ancestors(self):
        """The identifiers of the pages above, the outermost first."""
        paths = self.data.get("hierarchy", {}).get("paths") or [[]]
        return paths[0]


def file_of(url):
    """The file of a page, relative to the site: names that need no escape in any link."""
    path = url.removeprefix("/documentation/").strip("/").lower()
    path = path.replace(":", "-")
    return re.sub(r"[^a-z0-9/_.()+-]", lambda match: f"x{ord(match[0]):02x}", path) + ".html"


class Archives:
    """All pages, by their place and by the symbol that they describe."""

    def __init__(self, folders):
        self.folders = folders
        self.all = []
        self.symbols = {}
        places = {}
        for folder in folders:
            for file in sorted((folder / "data" / "documentation").rglob("*.json")):
                page = Page(json.loads(file.read_text(encoding="utf-8")))
                if page.path in places:
                    raise SystemExit(f"two pages at {page.path}")
                places[page.path] = page
                self.all.append(page)
                symbol = page.metadata.get("externalID")
                if symbol:
                    self.symbols[symbol] = page
        self.modules = [page for page in self.all if page.is_module]

    def of_module(self, module):
        return [page for page in self.all if page.module == module.module and page is not module]

    def article(self, path):
        """The article at a place, which the start page names."""
        for page in self.all:
            if page.path == path and page.is_article:
                return page
        raise SystemExit(f"the start page names {path}, which is not an article")

    def copy_images(self, folder):
        """Copies what the pages show, as images/MODULE/NAME."""
        for archive in self.folders:
            if (archive / "images").is_dir():
                shutil.copytree(archive / "images", folder / "images", dirs_exist_ok=True)
