# More checks of Scripts/lint, about files other than the source. See checks.bash.

# The version of the product is a constant in the source; that of Swift is in .swift-version.
versions() {
  local version swift workflow
  version=$(sed -nE 's/.*static let version = "(.*)"$/\1/p' \
    "$(grep -rlE --include='*.swift' 'static let version = "' Sources | head -n 1)")
  [[ $(grep -oE '^## \[[0-9][^]]*\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$' CHANGELOG.md | head -n 1) == \
    "## [$version] - "* ]] ||
    echo "CHANGELOG.md:1: the newest section with a date is not that of version $version"
  # A number that is part of a longer one does not count, and neither do fixtures.
  tree_files | grep -vE '^(Tests/|CHANGELOG\.md$|Sources/.*\.swift$)' | tr '\n' '\0' |
    xargs -0 grep -nIHE -e "(^|[^0-9.])${version//./\\.}(\.?$|\.[^0-9]|[^0-9.])" -- |
    sed -E 's/^([^:]+:[0-9]+):.*/\1: names the version once more/' || true
  swift=$(cat -- .swift-version)
  [[ $swift =~ ^[0-9]+\.[0-9]+(\.[0-9]+)?$ ]] || echo ".swift-version:1: not a version of Swift"
  for workflow in .github/workflows/*.yml; do
    grep -qE "container: swift:${swift//./\\.}-" "$workflow" ||
      echo "$workflow:1: does not use Swift $swift, as .swift-version does"
  done
}

# Checks that Documentation/house.svg shows every target of Sources, that arrows lead to all
# dependencies of a target, and that each arrow is declared.
picture_of_targets() {
  local targets
  targets=$(declared_targets)
  [[ -n $targets ]] || { echo 'Package.swift:1: the targets could not be read'; return 0; }
  awk -v targets="$targets" '
    function fault(what) { print FILENAME ":" FNR ": " what }
    function attribute(name) {
      return match($0, name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 2,
        RLENGTH - length(name) - 3) : ""
    }
    BEGIN {
      count = split(targets, lines, "\n")
      for (i = 1; i <= count; i++) {
        split(lines[i], field, "\t")
        if (field[1] !~ /^Sources\//) continue
        known[field[2]] = 1
        dependencies[field[2]] = field[4]
      }
      for (name in known) {
        number = split(dependencies[name], list, " ")
        for (i = 1; i <= number; i++) if (list[i] in known) declared[name, list[i]] = 1
      }
    }
    (box = attribute("data-target")) != "" {
      shown[box] = 1
      if (!(box in known)) fault("there is no target " box " in Sources")
    }
    (from = attribute("data-from")) != "" {
      to = attribute("data-to")
      reached[from, to] = 1
      if (!((from, to) in declared)) fault(from " does not depend on " to)
    }
    END {
      for (through in known) for (from in known) for (to in known)
        if ((from, through) in reached && (through, to) in reached) reached[from, to] = 1
      for (name in known) if (!(name in shown)) fault(name " is missing")
      for (pair in declared) if (!(pair in reached)) {
        split(pair, ends, SUBSEP)
        fault("no arrow leads from " ends[1] " to " ends[2])
      }
    }' Documentation/house.svg | sort
}

# packed_files FOLDER NAME PACKAGE: prints files that are only in the package or only in the list of
# the folder. The manual pages are taken from Documentation instead of the list.
packed_files() {
  diff -u --label expected --label packed <(
    {
      cat -- "Packaging/$1/contents"
      pages_of "$2" | sed -E 's,.*/(.*\.)(.)$,/usr/share/man/man\2/\1\2.gz,'
    } | sort
  ) <(
    dpkg-deb --contents "$3" | awk '!/^d/ { print substr($6, 2) }' | sort
  ) | sed -nE "s/^([+-])(\/.*)/Packaging\/$1\/contents:1: \1\2/p" || true
}

# packed_modes PACKAGE PROGRAM: prints files that root does not own, or whose modes are unusual.
packed_modes() {
  dpkg-deb --contents "$1" | awk -v program="./$2" '
    $2 != "root/root" || ($1 != "drwxr-xr-x" && $1 != "-rw-r--r--" &&
      !($1 == "-rwxr-xr-x" && $6 == program)) {
      print "Scripts/lib/debian.bash:1: packs " $6 " as " $1 " " $2 }'
}

# Packages another program, twice, because building devaccess takes minutes.
release_files() {
  local folder turn
  # The time does not matter here, and is unknown without Git.
  local -x SOURCE_DATE_EPOCH=86400
  if ! command -v dpkg-deb >/dev/null; then
    say "note: the packages are not checked, because this is not a Debian system"
    return 0
  fi
  folder=$(mktemp -d -- "$scratch/release.XXXXXX")
  for turn in 1 2; do
    Scripts/release --program /bin/true --broker-program /bin/true --output "$folder/$turn" \
      >"$folder/log" 2>&1 || { cat -- "$folder/log" && return 1; }
  done
  diff -rq -- "$folder/1" "$folder/2" | sed 's/^/Scripts\/release:1: not the same the second time: /' || true
  command_package "$folder"/1/devaccess_*.deb
  broker_package "$folder"/1/devaccess-broker_*.deb
}

# broker_package FILE: checks the files that only the package of the broker has.
broker_package() {
  local place name
  packed_files broker devaccess-broker "$1"
  packed_modes "$1" usr/libexec/devaccess-broker
  for name in polkitd dbus-system-bus libsystemd0; do
    dpkg-deb --field "$1" Depends | grep -qw -- "$name" ||
      echo "Packaging/broker/control:1: Depends lacks $name"
  done
  # There must be one polkit action for each kind that the broker opens.
  place=Sources/Devices/LinuxDevices/Broker/BrokerCalls.swift
  grep -q 'static let kinds: \[DeviceKind\] = \[\.' "$place" ||
    echo "$place:1: the kinds that the broker opens cannot be read"
  for name in $(sed -nE 's/.*static let kinds: \[DeviceKind\] = \[(.*)\]/\1/p' "$place" | tr -d ' .' |
    tr , ' '); do
    grep -q "<action id=\"org.devaccess.broker.open-$name\">" \
      Packaging/broker/org.devaccess.broker.policy ||
      echo "Packaging/broker/org.devaccess.broker.policy:1: there is no action for $name"
  done
}

# command_package FILE
command_package() {
  local fields field
  packed_files debian devaccess "$1"
  packed_modes "$1" usr/bin/devaccess
  fields=$(dpkg-deb --field "$1")
  for field in Package Version Architecture Maintainer Installed-Size Depends Description; do
    grep -q "^$field: ." <<<"$fields" || echo "Packaging/debian/control:1: $field is missing"
  done
  grep -qE '^Depends: .*\blibc6 \(>=' <<<"$fields" ||
    echo "Scripts/lib/debian.bash:1: the libraries of the program are not among Depends"
  # If dpkg cannot read the changelog, it does not find the version.
  [[ $(dpkg-deb --fsys-tarfile "$1" |
    tar -xO ./usr/share/doc/devaccess/changelog.Debian.gz | zcat |
    dpkg-parsechangelog -l - -S Version 2>&1) == "$(sed -n 's/^Version: //p' <<<"$fields")" ]] ||
    echo "CHANGELOG.md:1: Debian's changelog is not of the package's version"
}
