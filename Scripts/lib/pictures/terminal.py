"""Reads text with the escape sequences of colours."""
import dataclasses
import re

SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m|\x0f|\x0e")


@dataclasses.dataclass(frozen=True)
class Style:
    bold: bool = False
    dim: bool = False
    reverse: bool = False
    colour: int | None = None
    """One of the eight colours of a terminal, such as 1 for red."""

    def after(self, codes):
        """This style after the numbers of one sequence."""
        style = self
        for code in (int(code or 0) for code in codes.split(";")):
            if code == 0:
                style = Style()
            elif code == 1:
                style = dataclasses.replace(style, bold=True)
            elif code == 2:
                style = dataclasses.replace(style, dim=True)
            elif code == 22:
                style = dataclasses.replace(style, bold=False, dim=False)
            elif code == 7:
                style = dataclasses.replace(style, reverse=True)
            elif code == 27:
                style = dataclasses.replace(style, reverse=False)
            elif 30 <= code <= 37:
                style = dataclasses.replace(style, colour=code - 30)
            elif code == 39:
                style = dataclasses.replace(style, colour=None)
            elif code != 49:
                raise SystemExit(f"no picture of the colour {code}")
        return style


def lines_of(text):
    """Each line as runs of text of one style; a style goes on in the next line."""
    style = Style()
    lines = []
    for line in text.rstrip("\n").split("\n"):
        runs = []
        place = 0
        for match in [*SEQUENCE.finditer(line), None]:
            piece = line[place:match.start() if match else len(line)]
            if piece:
                if runs and runs[-1][0] == style:
                    runs[-1] = (style, runs[-1][1] + piece)
                else:
                    runs.append((style, piece))
            if match:
                place = match.end()
                if match[1] is not None:
                    style = style.after(match[1])
        lines.append(runs)
    return lines
