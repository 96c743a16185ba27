"""Names the public declarations that no comment describes.

Usage: undocumented ROOT GRAPHS…, where each of GRAPHS is a folder of symbol graphs. Prints a line
"file:line: name has no documentation" for each, and exits with 1 when there is one.
"""
import json
import pathlib
import sys


def undocumented(root, folder):
    for file in sorted(folder.glob("*.symbols.json")):
        for symbol in json.loads(file.read_text(encoding="utf-8"))["symbols"]:
            # Declarations that the compiler creates, such as the cases of a coding key, have no
            # location.
            if "location" not in symbol:
                continue
            lines = symbol.get("docComment", {}).get("lines", [])
            if any(line["text"].strip() for line in lines):
                continue
            path = symbol["location"]["uri"].removeprefix("file://")
            line = symbol["location"]["position"]["line"] + 1
            name = ".".join(symbol["pathComponents"])
            yield f"{path.removeprefix(f'{root}/')}:{line}: {name} has no documentation"


if __name__ == "__main__":
    faults = sorted(
        {fault for folder in sys.argv[2:] for fault in undocumented(sys.argv[1], pathlib.Path(folder))})
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)
