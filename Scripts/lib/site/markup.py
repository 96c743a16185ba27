"""DocC's content as HTML."""
import html
import posixpath

from archives import file_of


def link(page, target):
    """The way from a page to another file of the site."""
    path, mark, fragment = target.partition("#")
    relative = posixpath.relpath(path, posixpath.dirname(page.path) or ".")
    return html.escape(relative + mark + fragment)


class Markup:
    """Turns the content of one page into HTML."""

    def __init__(self, page, archives, sources):
        self.page = page
        self.archives = archives
        self.sources = sources

    # MARK: Links

    def target(self, identifier):
        """The place of what an identifier names, or nothing."""
        reference = self.page.references.get(identifier, {})
        url = reference.get("url", "")
        if reference.get("type") == "topic" and url:
            path, mark, fragment = url.partition("#")
            return link(self.page, file_of(path) + mark + fragment)
        return html.escape(url) if reference.get("type") == "link" else None

    def title(self, identifier):
        """A link to a page by its title alone."""
        name = html.escape(self.page.references.get(identifier, {}).get("title", identifier))
        target = self.target(identifier)
        return f'<a href="{target}">{name}</a>' if target else name

    def reference(self, identifier):
        reference = self.page.references.get(identifier, {})
        title = reference.get("titleInlineContent")
        if title:
            text = self.inline(title)
        else:
            name = reference.get("title", identifier.rsplit("/", 1)[-1])
            if reference.get("kind") == "symbol" or reference.get("type") == "unresolvable":
                text = code(self.qualified(name, identifier))
            else:
                text = html.escape(name)
        target = self.target(identifier)
        return f'<a href="{target}">{text}</a>' if target else text

    def qualified(self, name, identifier):
        """The name of a member with that of its type, except on the page of the type."""
        above = identifier.split("/")[5:-1]
        here = self.page.data["identifier"]["url"].split("/")[5:]
        if not above or "." in name.split("(")[0] or above == here or above == here[:-1]:
            return name
        return f"{above[-1]}.{name}"

    def image(self, identifier):
        """A picture of the catalogue; the archive has it at /images/MODULE/NAME."""
        reference = self.page.references.get(identifier, {})
        variants = reference.get("variants", [])
        if not variants:
            return ""
        place = link(self.page, variants[0]["url"].lstrip("/"))
        return f'<img src="{place}" alt="{html.escape(reference.get("alt") or "")}">'

    # MARK: Text

    def inline(self, items):
        """A run of text; paths of the repository in code voice become links."""
        return self.sources.linked(self.page, [(item, self.piece(item)) for item in items])

    def piece(self, item):
        kind = item["type"]
        if kind == "text":
            return html.escape(item["text"], quote=False)
        if kind == "codeVoice":
            return code(item["code"])
        if kind == "reference":
            return self.reference(item["identifier"])
        if kind in ("emphasis", "newTerm"):
            return f'<em>{self.inline(item["inlineContent"])}</em>'
        if kind in ("strong", "inlineHead"):
            return f'<strong>{self.inline(item["inlineContent"])}</strong>'
        if kind == "image":
            return self.image(item["identifier"])
        raise SystemExit(f"{self.page.path}: no HTML for inline {kind}")

    def blocks(self, items):
        return "\n".join(self.block(item) for item in items)

    def block(self, item):
        kind = item["type"]
        if kind == "paragraph":
            return f'<p>{self.inline(item["inlineContent"])}</p>'
        if kind == "heading":
            level = item["level"]
            anchor, text = html.escape(item["anchor"]), html.escape(item["text"])
            return f'<h{level} id="{anchor}"><a href="#{anchor}">{text}</a></h{level}>'
        if kind == "codeListing":
            return f'<pre><code>{html.escape(chr(10).join(item["code"]), quote=False)}</code></pre>'
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            entries = "".join(f'<li>{self.blocks(entry["content"])}</li>' for entry in item["items"])
            return f"<{tag}>{entries}</{tag}>"
        if kind == "termList":
            return "<dl>" + "".join(
                f'<dt>{self.inline(entry["term"]["inlineContent"])}</dt>'
                f'<dd>{self.blocks(entry["definition"]["content"])}</dd>'
                for entry in item["items"]) + "</dl>"
        if kind == "aside":
            name = html.escape(item.get("name") or item["style"].capitalize())
            return f'<aside><strong>{name}</strong>{self.blocks(item["content"])}</aside>'
        if kind == "table":
            return self.table(item)
        raise SystemExit(f"{self.page.path}: no HTML for {kind}")

    def table(self, item):
        rows = []
        for number, row in enumerate(item["rows"]):
            tag = "th" if number == 0 and item.get("header") in ("row", "both") else "td"
            rows.append("".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in row))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"

    # MARK: Declarations

    def tokens(self, tokens):
        """A declaration, with links to the types that have a page in any library."""
        text = ""
        for token in tokens:
            word = html.escape(token["text"], quote=False)
            known = self.archives.symbols.get(token.get("preciseIdentifier"))
            if known:
                word = f'<a href="{link(self.page, known.path)}">{word}</a>'
            elif token["kind"] in ("keyword", "attribute"):
                word = f"<b>{word}</b>"
            text += word
        return text


def code(text):
    """Text in code voice; a short one stays on one line."""
    short = ' class="short"' if len(text) <= 24 else ""
    return f"<code{short}>{html.escape(text, quote=False)}</code>"
