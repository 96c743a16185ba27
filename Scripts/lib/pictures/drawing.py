"""Draws lines of a terminal as SVG, in the colours that the reader prefers."""
import html
import re

WIDTH, HEIGHT, MARGIN = 8.4, 19, 14

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" \
aria-label="{label}">
<!-- Drawn by Scripts/pictures. -->
<style>
text {{ font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; }}
.b {{ font-weight: bold; }}
{light}
@media (prefers-color-scheme: dark) {{
{dark}
}}
</style>
<rect class="w" x="0.5" y="0.5" width="{inner_width:g}" height="{inner_height:g}" rx="8"/>
"""

# The colors of the window, its border, a reversed row, text, dim text, and the terminal colors from
# red to cyan. They are not CSS variables, which only browsers support.
LIGHT = ["#fff", "#d0d7de", "#dde3ea", "#1f2328", "#656d76",
         "#cf222e", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b7c83"]
DARK = ["#0d1117", "#30363d", "#30363d", "#e6edf3", "#8b949e",
        "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd"]


def rules(colours):
    window, edge, row, text, dim, *others = colours
    return "\n".join([
        f".w {{ fill: {window}; stroke: {edge}; }}", f".r {{ fill: {row}; }}",
        f"text {{ fill: {text}; }}", f".d {{ fill: {dim}; }}",
        *(f".c{number} {{ fill: {colour}; }}" for number, colour in enumerate(others, 1))])


def picture(lines, columns, label):
    """The lines in a window that is so many columns wide."""
    width = columns * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    parts = [HEAD.format(
        width=width, height=height, inner_width=width - 1, inner_height=height - 1,
        label=html.escape(label), light=rules(LIGHT), dark=rules(DARK))]
    for number, runs in enumerate(lines):
        parts += line(runs, MARGIN + number * HEIGHT)
    return "".join(parts) + "</svg>\n"


def line(runs, top):
    """A run begins at its column, whatever the width of the font's glyphs."""
    column = 0
    for style, text in runs:
        x = MARGIN + column * WIDTH
        if style.reverse:
            yield (f'<rect class="r" x="{x:g}" y="{top:g}" width="{len(text) * WIDTH:g}" '
                   f'height="{HEIGHT}"/>\n')
        names = ["b"] * style.bold + ["d"] * style.dim
        if style.colour in range(1, 7):
            names.append(f"c{style.colour}")
        classes = f' class="{" ".join(names)}"' if names else ""
        # Words are placed individually, because a fallback font may have other widths.
        for word in re.finditer(r"\S+(?: \S+)*", text):
            length = len(word[0])
            yield (f'<text{classes} x="{x + word.start() * WIDTH:g}" y="{top + HEIGHT - 5:g}" '
                   f'textLength="{length * WIDTH:g}">{html.escape(word[0], quote=False)}</text>\n')
        column += len(text)
