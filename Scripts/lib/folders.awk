# Finds out which folders of a target use declarations in other folders of the same target.
#
# Input: the Swift files, one per line as target, folder and file, separated by tabs. Variable: mode
# ("graph" prints the folders of each target, those that use nothing first; any other value prints
# circles as faults).
#
# A folder uses another folder if it names a type, function or constant at the file scope of that
# folder, creates a foreign type with an initializer that is declared there, or names another member
# that only an extension of a foreign type there declares. Comments and string literals are ignored,
# except for the code in string interpolations.

# Removes comments and strings from a line. "context" is the state at the start of the line: each
# level is a block comment, a string or the code of an interpolation.
function stripped(line,    result, rest, mark, fence) {
  result = ""
  while (line != "") {
    mark = substr(context[depth], 1, 1)
    fence = substr(context[depth], 2)
    if (mark == "/") {
      if (!match(line, /\/\*|\*\//)) return result
      if (substr(line, RSTART, 1) == "/") context[++depth] = "/"
      else depth--
      line = substr(line, RSTART + 2)
    } else if (mark == "\"") {
      line = after_text(line, fence)
    } else {
      if (!match(line, /\/\/|\/\*|#*"|[()]/)) return result line
      result = result substr(line, 1, RSTART - 1)
      mark = substr(line, RSTART, RLENGTH)
      rest = substr(line, RSTART + RLENGTH)
      if (mark == "//") return result
      if (mark == "/*") {
        context[++depth] = "/"
      } else if (mark == "(") {
        parentheses[depth]++
        result = result mark
      } else if (mark == ")") {
        if (depth > 0 && parentheses[depth] == 0) { depth--; result = result " " }
        else { parentheses[depth]--; result = result mark }
      } else {
        fence = substr(mark, 1, length(mark) - 1)
        if (substr(rest, 1, 2) == "\"\"") { rest = substr(rest, 3); mark = "\"\"\"" }
        else mark = "\""
        context[++depth] = "\"" mark fence
        result = result "\"\""
      }
      line = rest
    }
  }
  return result
}

# Returns what follows the text of a string in a line, up to its end or an interpolation.
function after_text(line, fence,    quotes, hashes, escape, position) {
  quotes = fence
  sub(/#+$/, "", quotes)
  hashes = substr(fence, length(quotes) + 1)
  escape = "\\" hashes
  for (position = 1; position <= length(line); position++) {
    if (substr(line, position, length(escape)) == escape) {
      if (substr(line, position + length(escape), 1) == "(") {
        context[++depth] = "("
        parentheses[depth] = 0
        return substr(line, position + length(escape) + 1)
      }
      position += length(escape)
    } else if (substr(line, position, length(fence)) == fence) {
      depth--
      return substr(line, position + length(fence))
    }
  }
  # A single-line string ends with its line.
  if (quotes == "\"") depth--
  return ""
}

function start(name) {
  file = name
  number = 0
  depth = 0
  context[0] = "("
  parentheses[0] = 0
}

# The first pass: records the declarations of each file.
function declare(name,    line, code, level, hidden, extended, piece, kind) {
  start(name)
  level = 0
  extended = ""
  while ((getline line < name) > 0) {
    number++
    if (line ~ /^[ \t]*(\/\/|$)/ && depth == 0) continue
    code = stripped(line)
    source[name, number] = code
    while (match(code, declaration)) {
      piece = substr(code, 1, RSTART - 1)
      hidden = piece ~ /(^|[^A-Za-z0-9_])(private|fileprivate)[ \t]/
      if (piece ~ /[A-Za-z0-9_`.]$/) {
        # The match is part of another word.
        code = substr(code, RSTART + 1)
        continue
      }
      piece = substr(code, RSTART, RLENGTH)
      code = substr(code, RSTART + RLENGTH)
      if (piece == "{") { level++; continue }
      if (piece == "}") { level--; continue }
      if (piece ~ /^init/) {
        sub(/^.*\([ \t]*/, "", piece)
        if (level == 1 && extended != "" && !hidden) made[target, extended "(" piece] = folder
        continue
      }
      kind = piece
      sub(/[ \t].*$/, "", kind)
      sub(/^.*[ \t]/, "", piece)
      if (kind == "extension") { extended = piece; continue }
      # "class func" does not declare a class.
      if (kind == "class" && piece ~ /^(func|var|let)$/) { code = piece code; continue }
      sub(/\..*$/, "", piece)
      own[name, piece]
      if (level > 0) members[target, piece]++
      if (level == 0) {
        if (!hidden && !((target, piece) in owner)) owner[target, piece] = folder
        if (kind ~ /^(struct|class|enum|protocol|actor)$/) extended = ""
      } else if (level == 1 && extended != "" && !hidden && kind ~ /^(func|var)$/) {
        added[target, piece] = folder
        added_to[target, piece] = extended
      }
    }
  }
  close(name)
  last[name] = number
}

# Records that the current folder uses another one, and the first place where it does.
function uses(other, what) {
  if (other == "" || other == folder || (target, folder, other) in place) return
  place[target, folder, other] = file ":" number
  reason[target, folder, other] = what
  arrows[target, folder] = arrows[target, folder] other "\n"
}

# The second pass: finds the declarations that each file uses.
function follow(name,    code, rest, word, before, label) {
  start(name)
  for (number = 1; number <= last[name]; number++) {
    if (!((name, number) in source)) continue
    code = source[name, number]
    before = ""
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
      before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
      word = substr(code, RSTART, RLENGTH)
      code = substr(code, RSTART + RLENGTH)
      if (before == ".") {
        if (((target, word) in added) && members[target, word] == 1 &&
          !((target, added_to[target, word]) in owner) && !((name, word) in own))
          uses(added[target, word], added_to[target, word] "." word)
        continue
      }
      if (((target, word) in owner) && !((name, word) in own))
        uses(owner[target, word], word)
      if (match(code, /^\([ \t]*[A-Za-z_][A-Za-z0-9_]*/)) {
        label = substr(code, RSTART, RLENGTH)
        sub(/^\([ \t]*/, "", label)
        if (((target, word "(" label) in made) && !((target, word) in owner))
          uses(made[target, word "(" label], word "(" label ":)")
      }
    }
  }
}

# Removes folders that use only folders already removed from "left", in order.
function peel(    progress, i, name, others, count, j, free) {
  order_count = 0
  do {
    progress = 0
    for (i = 1; i <= folder_count; i++) {
      name = folders[i]
      if (!(name in left)) continue
      free = 1
      count = split(arrows[target, name], others, "\n")
      for (j = 1; j < count; j++) if (others[j] in left) free = 0
      if (free) taken[name]
      if (free) progress = 1
    }
    for (i = 1; i <= folder_count; i++) {
      name = folders[i]
      if (name in taken) { delete taken[name]; delete left[name]; order[++order_count] = name }
    }
  } while (progress)
}

# Returns the path back from one folder to another, as "A -> B -> C"; empty if there is none.
function way(from, to,    queue, head, tail, others, count, j, path) {
  for (j = 1; j <= folder_count; j++) delete path[folders[j]]
  queue[1] = from
  path[from] = from
  for (head = tail = 1; head <= tail; head++) {
    count = split(arrows[target, queue[head]], others, "\n")
    for (j = 1; j < count; j++) {
      if (others[j] in path) continue
      path[others[j]] = path[queue[head]] " -> " others[j]
      if (others[j] == to) return path[to]
      queue[++tail] = others[j]
    }
  }
  return ""
}

function users(name,    count, others, j, result) {
  count = split(arrows[target, name], others, "\n")
  result = ""
  for (j = 1; j < count; j++) result = result (j > 1 ? ", " : "") others[j]
  return result
}

function report(    i, j, name, others, count, back) {
  for (i = 1; i <= folder_count; i++) left[folders[i]]
  peel()
  if (mode == "graph") {
    print target
    for (i = 1; i <= order_count; i++) show(order[i], "")
    for (i = 1; i <= folder_count; i++) if (folders[i] in left) show(folders[i], " (circle)")
  } else {
    for (i = 1; i <= folder_count; i++) {
      name = folders[i]
      if (!(name in left)) continue
      count = split(arrows[target, name], others, "\n")
      for (j = 1; j < count; j++) {
        back = way(others[j], name)
        if (back == "") continue
        print place[target, name, others[j]] ": the folders of " target " form a circle: " name \
          " uses " reason[target, name, others[j]] ", and " back
      }
    }
  }
  for (name in left) delete left[name]
}

function show(name, mark,    list) {
  list = users(name)
  print "  " name (list == "" ? "" : " -> " list) mark
}

BEGIN {
  FS = "\t"
  declaration = "[{}]|(struct|class|enum|protocol|actor|extension|typealias|func|let|var|case)[ \t]+" \
    "[A-Za-z_][A-Za-z0-9_.]*|init[?]?\\([ \t]*[A-Za-z_][A-Za-z0-9_]*"
}

{
  target = $1
  folder = $2
  if (!(target in seen_target)) { seen_target[target]; targets[++target_count] = target }
  if (!((target, folder) in seen_folder)) {
    seen_folder[target, folder]
    folder_names[target] = folder_names[target] folder "\n"
  }
  files[++file_count] = $0
  declare($3)
}

END {
  for (f = 1; f <= file_count; f++) {
    split(files[f], field, FS)
    target = field[1]
    folder = field[2]
    follow(field[3])
  }
  for (t = 1; t <= target_count; t++) {
    target = targets[t]
    folder_count = split(folder_names[target], folders, "\n") - 1
    report()
  }
}
