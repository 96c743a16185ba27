# Which targets there are, and which files are checked and formatted. Relative to the root of the
# package.

swift_sources=(Package.swift Sources Plugins Tests Benchmarks Examples)

# The targets of Package.swift, a line each: path, name, type, and what it depends on.
declared_targets() {
  swift_tool package --package-path "$root" --enable-all-traits describe </dev/null 2>/dev/null | awk '
    function flush() {
      if (path != "") print path "\t" name "\t" type "\t" dependencies
      path = dependencies = ""
    }
    /^    Name: / { flush(); name = $2 }
    /^    Type: / { type = $2 }
    /^    Path: / { path = $2 }
    # The members of a list are indented twice as deep as its heading.
    /^    [^ ]/ { list = $0 }
    /^        / && list ~ /Target dependencies:$/ { dependencies = dependencies " " $1 }
    END { flush() }'
}

# The Swift and C files that people write.
source_files() {
  find "${swift_sources[@]}" -type f \( -name '*.swift' -o -name '*.c' -o -name '*.h' \) | sort
}

# Every file of the tree but the built ones, a line each.
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

# The shell scripts among them, by their first line or their name.
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
