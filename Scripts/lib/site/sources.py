"""The files of the repository that pages name, as pages with numbered lines."""
import html
import re

PATH = re.compile(r"(Sources|Tests|Scripts|Documentation)/[\w@%+=:,./-]+\.\w+")


class Sources:
    def __init__(self, root):
        self.root = root
        self.lines = {}

    def lines_of(self, path):
        """The lines of a file that a page may name; nothing for what is no such file."""
        if path not in self.lines and PATH.fullmatch(path) and (self.root / path).is_file():
            text = (self.root / path).read_text(encoding="utf-8")
            self.lines[path] = text.splitlines()
        return self.lines.get(path)

    @staticmethod
    def place(path):
        return f"source/{path}.html"

    def linked(self, page, pieces):
        """Joins a run of text, with links to the files in it.

        The name of a function in code voice leads to its declaration in the file named after it;
        the quoted name of a test leads to its line in the file named before it.
        """
        from markup import link

        files = [
            item["code"] if item["type"] == "codeVoice" and self.lines_of(item["code"]) else None
            for item, _ in pieces
        ]
        result = ""
        for index, (item, text) in enumerate(pieces):
            if files[index]:
                text = f'<a href="{link(page, self.place(files[index]))}">{text}</a>'
            elif item["type"] == "codeVoice":
                later = next((file for file in files[index:] if file), None)
                line = later and self.declaration(later, item["code"])
                if line:
                    text = f'<a href="{link(page, self.place(later))}#L{line}">{text}</a>'
            elif item["type"] == "text":
                earlier = next((file for file in reversed(files[:index]) if file), None)
                if earlier:
                    text = self.quotes(page, text, earlier)
            result += text
        return result

    def declaration(self, path, name):
        if name.startswith("init("):
            pattern = r"\binit\(" + re.escape(name[5:].split(":")[0]) + r"\b"
        else:
            pattern = r"\b(func|var) " + re.escape(name) + r"\b"
        return self.line(path, lambda line: re.search(pattern, line))

    def quotes(self, page, text, path):
        from markup import link

        def linked(match):
            name = html.unescape(match[1]).replace("’", "'")
            line = self.line(path, lambda line: f'"{name}"' in line or f"`{name}`" in line)
            if not line:
                return match[0]
            return f'<a href="{link(page, self.place(path))}#L{line}">{match[0]}</a>'

        return re.sub(r'["“]([^"“”]+)["”]', linked, text)

    def line(self, path, matches):
        for number, line in enumerate(self.lines_of(path), 1):
            if matches(line):
                return number
        return None

    def write(self, folder):
        from pages import document

        for path, lines in self.lines.items():
            place = self.place(path)
            up = "../" * place.count("/")
            text = "\n".join(
                f'<span id="L{number}">{html.escape(line, quote=False)}</span>'
                for number, line in enumerate(lines, 1))
            body = f'<h1 class="path">{html.escape(path)}</h1><pre class="source">{text}</pre>'
            file = folder / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(document(path, up, "", body), encoding="utf-8")
