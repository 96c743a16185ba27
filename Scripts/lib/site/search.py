"""The index that search.js searches: a script, because a page from a file may not fetch one."""
import json

ARTICLE, TYPE, MEMBER = range(3)


def write_search(folder, archives):
    """A line for each page: title, place, file, abstract, kind, and the words of an article."""
    entries = [entry(page) for page in archives.all]
    entries.sort(key=lambda entry: (entry[4], entry[0].lower(), entry[2]))
    lines = ",\n".join(
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
    (folder / "search-index.js").write_text(f"const pages = [\n{lines}\n];\n", encoding="utf-8")


def entry(page):
    place = " › ".join(page.data["identifier"]["url"].split("/")[4:-1])
    if page.is_article or page.is_module:
        kind = ARTICLE
    else:
        kind = TYPE if len(page.ancestors) == 1 else MEMBER
    abstract = "" if kind == MEMBER else words(page.data.get("abstract", []), page.references)
    result = [page.title, place, page.path, abstract, kind]
    if page.is_article:
        body = words(page.data.get("primaryContentSections", []), page.references)
        result.append(" ".join(sorted({word for word in body.lower().split() if len(word) > 2})))
    return result


def words(item, references):
    """The text of DocC's content, without its markup and its code listings."""
    if isinstance(item, list):
        return "".join(words(each, references) for each in item)
    if not isinstance(item, dict):
        return ""
    kind = item.get("type")
    if kind in ("text", "heading"):
        return item["text"] + (" " if kind == "heading" else "")
    if kind == "codeVoice":
        return item["code"]
    if kind == "reference":
        return references.get(item["identifier"], {}).get("title", "")
    text = "".join(
        words(each, references) for each in item.values() if isinstance(each, (list, dict)))
    return text + " " if kind in ("paragraph", None) else text
