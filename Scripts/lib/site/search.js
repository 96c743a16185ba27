// Searches the titles and abstracts in search-index.js. Without scripts, use the page of all
// symbols.
const form = document.getElementById("search");
const field = form.elements.q;
const results = document.getElementById("results");

// Lower is better; NaN if a word is missing. Articles precede types, and types precede members.
function rank([title, place, , text, kind, body = ""], words) {
  const name = title.toLowerCase();
  const rest = (place + " " + text).toLowerCase();
  let sum = [0, 3, 5][kind];
  for (const word of words) {
    if (name === word) sum += 0;
    else if (name.startsWith(word)) sum += 2;
    else if (name.includes(word)) sum += 3;
    else if (rest.includes(word)) sum += 5;
    else if (body.includes(word)) sum += 6;
    else return undefined;
  }
  return sum;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : pages
    .map((page) => ({ page, rank: rank(page, words) }))
    .filter((each) => each.rank !== undefined)
    .sort((one, other) => one.rank - other.rank);
  results.replaceChildren(...found.slice(0, 30).map(({ page: [title, place, path, text] }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = path;
    link.textContent = title;
    const small = document.createElement("small");
    small.textContent = [place, text].filter(Boolean).join(": ");
    item.append(link, " ", small);
    return item;
  }));
  if (words.length > 0 && found.length === 0) results.textContent = "Nothing found.";
}

form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", show);
field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value) field.focus();
show();
