# The targets, and the files that are checked and formatted, relative to the root of the package.

swift_sources=(Package.swift Sources Plugins Tests Benchmarks Examples)

# Prints the targets of Package.swift, one per line: path, name, type and dependencies.
declared_targets() {
  swift_tool package --package-path "$root" --enable-all-traits describe </dev/null 2>/dev/null | awk '
    function flush() {
      if (path != "") print path "\t" name "\t" type "\t" dependencies
      path = dependencies = ""
    }
    /^    Name: / { flush(); name = $2 }
    /^    Type: / { type = $2 }
    /^    Path: / { path = $2 }
    # The members of a list are indented twice as far as its heading.
    /^    [^ ]/ { list = $0 }
    /^        / && list ~ /Target dependencies:$/ { dependencies = dependencies " " $1 }
    END { flush() }'
}

# Prints the Swift and C files that are not generated.
source_files() {
  find "${swift_sources[@]}" -type f \( -name '*.swift' -o -name '*.c' -o -name '*.h' \) | sort
}

# Prints every file in the tree, except build products, one per line.
tree_files() {
  if git -C "$root" rev-parse --git-dir >/dev/null 2>&1; then
    git -C "$root" ls-files --cached --others --exclude-standard | while IFS= read -r file; do
      # A file that was deleted but not yet committed is still listed.
      [[ ! -f $file ]] || printf '%s\n' "$file"
    done
  else
    find . -path ./.build -prune -o -type f -print | sed 's,^\./,,'
  fi | sort
}

# Prints the shell scripts among them, recognized by their first line or their name.
shell_files() {
  local file line
  while IFS= read -r file; do
    line=
    IFS= read -r line <"$file" 2>/dev/null || true
    if [[ $file == *.bash || $file == *.sh || $line =~ ^#!.*(/| )(ba)?sh( |$) ]]; then
      printf '%s\n' "$file"
    fi
  done < <(tree_files)
}
