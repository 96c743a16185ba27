"""Makes plain HTML pages of DocC archives, which are read from the file system.

DocC's own pages are empty without a server: they fetch their content. Usage:

    python3 -B Scripts/lib/site ROOT FOLDER ARCHIVE…

ROOT is the repository, FOLDER where the pages go, each ARCHIVE what 'docc convert' wrote. The exit
status is 1 when a link of a page leads nowhere; each is a line on standard error.
"""
import pathlib
import shutil
import sys

from archives import Archives
from index import write_index, write_symbols
from links import dead_links
from pages import write_page
from search import write_search
from sources import Sources


def main(root, folder, archives):
    here = pathlib.Path(__file__).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("style.css", "search.js"):
        shutil.copyfile(here / name, folder / name)
    shutil.copyfile(root / "Documentation/explain.svg", folder / "explain.svg")
    pages = Archives(archives)
    pages.copy_images(folder)
    sources = Sources(root)
    for page in pages.all:
        write_page(folder, page, pages, sources)
    write_index(folder, pages, sources)
    write_symbols(folder, pages)
    write_search(folder, pages)
    sources.write(folder)
    faults = dead_links(folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    paths = [pathlib.Path(word) for word in sys.argv[1:]]
    sys.exit(main(paths[0], paths[1], paths[2:]))
