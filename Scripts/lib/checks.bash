# The checks of Scripts/lint. Each prints its faults as "file:line: what is wrong", relative to the
# root.

shell_syntax() {
  local file
  while IFS= read -r file; do
    # Bash prints the file and the line itself.
    bash -n -- "$file" 2>&1 || true
  done < <(shell_files)
}

# Comments may mention them.
forbidden_escapes() {
  grep -rnE --include='*.swift' \
    '@unchecked[[:space:]]+Sendable|nonisolated\(unsafe\)|\btry!|\bas!|\bfatalError\(' Sources Examples/Sources |
    grep -vE '^[^:]+:[0-9]+:[[:space:]]*//' |
    sed -E 's/^([^:]+:[0-9]+):[[:space:]]*(.*)$/\1: escapes the type system: \2/' || true
}

# Checks the imports of each target. The compiler does not check them: it lets a target import any
# module that was built before, declared or not.
layering() {
  local targets
  targets=$(declared_targets)
  [[ -n $targets ]] || { echo 'Package.swift:1: the targets could not be read'; return 0; }
  source_files | awk -v targets="$targets" '
    function has(list, word) { return index(" " list " ", " " word " ") }
    function fault(what) { print file ":" number ": " target " imports " module "; " what }
    function import_of(line) {
      sub(/^[ \t]+/, "", line)
      while (sub(/^(@[A-Za-z_]+(\([^)]*\))?|public|package|internal|fileprivate|private)[ \t]+/,
        "", line)) {}
      if (!sub(/^import[ \t]+/, "", line)) return ""
      sub(/^(struct|class|enum|protocol|typealias|func|let|var)[ \t]+/, "", line)
      return match(line, /^[A-Za-z_][A-Za-z0-9_]*/) ? substr(line, 1, RLENGTH) : ""
    }
    # Records the conditions (#if … #endif) that apply to the next line.
    function note_condition(line) {
      if (line ~ /^[ \t]*#if[ \t(]/) condition[++depth] = line
      else if (line ~ /^[ \t]*#elseif[ \t(]/) condition[depth] = line
      else if (line ~ /^[ \t]*#else/) condition[depth] = ""
      else if (line ~ /^[ \t]*#endif/) depth--
    }
    function is_guarded(  level) {
      for (level = 1; level <= depth; level++)
        if (condition[level] ~ "^[ \t]*#(else)?if[ \t]+canImport\\(" module "\\)[ \t]*$") return 1
      return 0
    }
    function check() {
      if (target in pure) {
        if (has(pure[target], module)) return
        if (!(file in platform_files) || !has(platforms, module))
          fault("it may import " (pure[target] == "" ? "nothing" : "only " pure[target]))
        else if (!is_guarded())
          fault("outside #if canImport(" module "), where another platform does not have it")
      } else if (!(module in type)) {
        return
      } else if (!has(declared[target], module)) {
        fault("Package.swift does not declare it")
      } else if (type[module] == "system-target" && file ~ /^Sources\// &&
        target != "LinuxDevices" && !((target " " module) in exceptions)) {
        fault("only LinuxDevices imports C modules")
      }
    }
    BEGIN {
      # The pure targets, which may import only these modules, and none of the system.
      pure["LegoPublishers"] = "Synchronization Observation Dispatch"
      pure["LegoKit"] = "Synchronization Observation Dispatch LegoPublishers JSONText"
      pure["LegoTesting"] = "Synchronization Testing LegoKit"
      pure["JSONText"] = ""
      pure["UdevRules"] = ""
      pure["AccessModel"] = "UdevRules"
      # Their files that need the C library of the platform, each inside a condition that checks for
      # it.
      platforms = "Darwin Glibc Musl"
      platform_files["Sources/Lego/LegoKit/Store/ThreadID.swift"]
      # C modules outside LinuxDevices: those for the test bed, the command line, the screen and the
      # secret stores, which no device library needs, and those for the bus and for checking the
      # environment, which programs without devices need too.
      exceptions["DevicePermissionsTesting CUMockdev"]
      exceptions["DeviceAccessCommands CGetopt"]
      exceptions["TerminalScreen CNcurses"]
      exceptions["LegoSecrets CSecret"]
      exceptions["LegoSecrets CKeyring"]
      exceptions["LegoKeeping CLinux"]
      exceptions["MessageBus CSystemd"]
      count = split(targets, lines, "\n")
      for (i = 1; i <= count; i++) {
        split(lines[i], field, "\t")
        at[field[1]] = field[2]
        type[field[2]] = field[3]
        declared[field[2]] = field[4]
      }
    }
    /\.swift$/ {
      file = $0
      target = ""
      for (path in at) if (index(file, path "/") == 1) target = at[path]
      if (target == "") next
      number = inside = depth = 0
      while ((getline line < file) > 0) {
        number++
        # An import inside a multi-line string belongs to a file that the code generates.
        if (line !~ /^[ \t]*\/\// && gsub(/"""/, "&", line) % 2) inside = !inside
        if (inside) continue
        note_condition(line)
        module = import_of(line)
        if (module != "") check()
      }
      close(file)
    }'
}

# folder_arrows [graph]: prints circles between the folders of each target as faults, or with
# "graph" all dependencies.
folder_arrows() {
  find Sources -type f -name '*.swift' | sort |
    awk -F / -v OFS='\t' '{
      # Sources/FAMILY/TARGET/FOLDER
      folder = NF > 4 ? $4 : "."
      # The layers of the model are independent of each other, so each counts as a folder.
      if (folder == "Layers" && NF > 5) folder = folder "/" $5
      print $3, folder, $0
    }' |
    awk -v mode="${1-}" -f Scripts/lib/folders.awk
}

file_lengths() {
  local file lines
  while IFS= read -r file; do
    lines=$(wc -l <"$file")
    if ((lines > 500)); then
      echo "$file:$lines: more than 500 lines; split it"
    elif ((lines > 300)); then
      say "note: $file has $lines lines; more than 500 are too many"
    fi
  done < <(source_files)
}

readme_length() {
  local lines
  if [[ ! -f README.md ]]; then
    say "note: there is no README.md yet"
    return 0
  fi
  lines=$(wc -l <README.md)
  ((lines < 150)) || echo "README.md:$lines: must have fewer than 150 lines"
}

# A Package.swift gives hints to other tools; its names must match Scripts/packages.
package_names() {
  local name known
  known=" $(packages_in build test examples | cut -f 1 | tr '\n' ' ')"
  { grep -HnoE '\.apt\(\[[^]]*\]' Package.swift Examples/Package.swift || true; } |
    while IFS=: read -r file line names; do
      for name in $(grep -oE '"[^"]+"' <<<"$names" | tr -d '"'); do
        [[ $known == *" $name "* ]] ||
          echo "$file:$line: $name is missing from Scripts/packages"
      done
    done
}

# Finds folders of a development machine and hosts of package mirrors, which differ between
# machines.
machine_words() {
  local folders='(^|[^[:alnum:]_./-])/(work|tmp/wt)/'
  local hosts='\b(deb|archive|security|ports|registry|mirrors?|proxy|index|files|pypi|packages)\.[a-z0-9-]+\.(org|com|net|io)\b|\bpypi\.org'
  tree_files | tr '\n' '\0' |
    LC_ALL=C xargs -0 grep -nIHE -e "$folders" -e "$hosts" -- |
    sed -E 's/^([^:]+:[0-9]+):[[:space:]]*(.{0,100}).*$/\1: means something on one machine only: \2/' ||
    true
}

formatting() {
  swift format lint --strict --parallel --recursive --configuration .swift-format \
    "${swift_sources[@]}" 2>&1
}

# mandoc searches for referenced pages in the working directory, then on the machine, where the
# pages of other programs may be missing.
manual_pages() {
  install_packages docs
  (cd -- Documentation/man && mandoc -Tlint -- *.[1-8]) 2>&1 |
    grep -v 'outdated mandoc\.db' |
    awk '!/referenced manual not found/ || / Xr devaccess/ {
      sub(/^mandoc: /, "Documentation/man/"); print }' || true
}

documentation() {
  Scripts/docs --check
}
