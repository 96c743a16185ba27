"""One page of the site."""
import html

from markup import Markup


def document(title, up, trail, body):
    """A whole HTML document; `up` leads from its folder to the top of the site."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav><span><a href="{up}index.html">devaccess</a>{trail}</span>
<form action="{up}index.html" role="search">\
<input type="search" name="q" placeholder="Search" aria-label="Search the documentation"></form></nav>
<main>
{body}
</main>
</body>
</html>
"""


def write_page(folder, page, archives, sources):
    markup = Markup(page, archives, sources)
    up = "../" * page.path.count("/")
    trail = "".join(f" › {markup.title(above)}" for above in page.ancestors)
    trail += f" › {html.escape(page.title)}"
    file = folder / page.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(document(page.title, up, trail, body(page, markup)), encoding="utf-8")


def body(page, markup):
    parts = []
    role = page.metadata.get("roleHeading")
    if role and not page.is_article:
        parts.append(f'<p class="role">{html.escape(role)}</p>')
    parts.append(f"<h1>{html.escape(page.title)}</h1>")
    if page.data.get("abstract"):
        parts.append(f'<p class="abstract">{markup.inline(page.data["abstract"])}</p>')
    for section in page.data.get("primaryContentSections", []):
        parts.append(primary(section, markup))
    for section in page.data.get("topicSections", []):
        parts.append(topics(section, markup))
    for section in page.data.get("relationshipsSections", []):
        parts.append(names(section["title"], section["identifiers"], markup))
    for section in page.data.get("seeAlsoSections", []):
        parts.append(topics(section, markup, level=3))
    return "\n".join(part for part in parts if part)


def primary(section, markup):
    kind = section["kind"]
    if kind == "declarations":
        return "".join(
            f'<pre class="declaration"><code>{markup.tokens(each["tokens"])}</code></pre>'
            for each in section["declarations"])
    if kind == "parameters":
        entries = "".join(
            f'<dt><code>{html.escape(each["name"])}</code></dt>'
            f'<dd>{markup.blocks(each["content"])}</dd>' for each in section["parameters"])
        return f'<h2 id="parameters">Parameters</h2><dl>{entries}</dl>'
    if kind == "content":
        return markup.blocks(section["content"])
    if kind == "mentions":
        return names("Mentioned in", section["mentions"], markup)
    raise SystemExit(f"{markup.page.path}: no HTML for section {kind}")


def names(title, identifiers, markup):
    """A line of links under a small title."""
    links = ", ".join(markup.reference(identifier) for identifier in identifiers)
    return f'<p class="names"><strong>{html.escape(title)}:</strong> {links}</p>'


def topics(section, markup, level=2):
    """A list of pages, with the declaration and the abstract of each."""
    entries = []
    for identifier in section["identifiers"]:
        reference = markup.page.references.get(identifier, {})
        target = markup.target(identifier)
        if target is None:
            continue
        fragments = reference.get("fragments")
        if fragments:
            name = "".join(html.escape(each["text"], quote=False) for each in fragments)
            name = f"<code>{name}</code>"
        else:
            name = html.escape(reference.get("title", ""))
        abstract = markup.inline(reference.get("abstract", []))
        entries.append(f'<dt><a href="{target}">{name}</a></dt><dd>{abstract}</dd>')
    if not entries:
        return ""
    title = html.escape(section.get("title", ""))
    return f'<h{level}>{title}</h{level}><dl class="topics">{"".join(entries)}</dl>'
