# Makes a Debian package. Needs product.bash.

# Raised when the package changes and the product does not.
debian_revision=1

# The time that every file of the package bears. The tools below read it, too.
set_source_date() {
  if [[ ! ${SOURCE_DATE_EPOCH-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) ||
      fail "$root is not a Git repository: set SOURCE_DATE_EPOCH to the time of the source"
  fi
  [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || fail "SOURCE_DATE_EPOCH is not a number of seconds"
  export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
}

# The section of CHANGELOG.md about a version, its headings left out.
changes_of() {
  awk -v heading="## [$1]" '
    /^## / { inside = index($0, heading) == 1; next }
    inside && !/^#/' "$root/CHANGELOG.md"
}

# debian_changelog VERSION: that section in the form of Debian.
debian_changelog() {
  printf 'devaccess (%s) unstable; urgency=medium\n\n' "$1"
  # An entry a line, folded anew.
  changes_of "${1%-*}" | awk '
    function flush() { if (entry != "") print entry; entry = "" }
    /^- / { flush(); entry = substr($0, 3); next }
    NF { sub(/^ +/, ""); if (entry != "") entry = entry " " $0; next }
    { flush() }
    END { flush() }' | while IFS= read -r entry; do
    fold -s -w 74 <<<"$entry" | sed -E '1s/^/  * /; 2,$s/^/    /; s/ +$//'
  done
  printf '\n -- %s  %s\n' "$(control_field Maintainer)" "$(date -uR -d "@$SOURCE_DATE_EPOCH")"
}

control_field() { sed -n "s/^$1: //p" "${2:-$root/Packaging/debian/control}"; }

# needed_packages PROGRAM: which packages hold the C libraries that it is linked with, and since
# which version they have what it calls.
needed_packages() {
  local folder=$scratch/dependencies
  mkdir -p -- "$folder/debian"
  printf 'Source: devaccess\n\nPackage: devaccess\nArchitecture: any\n' >"$folder/debian/control"
  (cd -- "$folder" && dpkg-shlibdeps -O -e"$1" 2>"$scratch/log") >"$folder/names" ||
    { cat -- "$scratch/log" >&2 && return 1; }
  # Packed relocations are a need of glibc's version without a symbol, and so it overlooks them.
  if readelf -dW -- "$1" | grep -q '(RELR)'; then
    sed -i -E 's/\b(libc6[^ ,]* \(>= )2\.([0-9]|[12][0-9]|3[0-5])\)/\12.36)/' "$folder/names"
  fi
  sed 's/^shlibs:Depends=//' "$folder/names"
}

# loaded_packages PROGRAM: which packages hold the libraries that it loads when it needs them, and
# does without where they are missing. Only the source names them.
loaded_packages() {
  local library
  { grep -rhoE --include='*.swift' '"lib[[:alnum:]_+-]+\.so\.[0-9]+"' \
    "$root/Sources/LinuxDevices" "$root/Sources/MessageBus" "$root/Sources/TerminalScreen" ||
    true; } | tr -d '"' | sort -u | while IFS= read -r library; do
    readelf -dW -- "$1" | grep -qF "(NEEDED)             Shared library: [$library]" ||
      dpkg-query --search "*/$library" | sed -n '1s/:.*//p'
  done | sort -u | paste -sd , | sed 's/,/, /g'
}

# control_file VERSION TREE PROGRAM FIELDS: the fields of the package, from those in a file.
control_file() {
  local depends recommends=''
  depends=$(needed_packages "$2/$3") || return 1
  if grep -q '^Depends:' "$4"; then
    depends+=", $(control_field Depends "$4")"
  else
    recommends=$(loaded_packages "$2/$3") || return 1
  fi
  grep -v -e '^#' -e '^Depends:' "$4" | sed '/^Description:/,$d'
  printf 'Version: %s\nArchitecture: %s\n' "$1" "$(dpkg --print-architecture)"
  # As dpkg-gencontrol counts: a kilobyte for each folder, link and started kilobyte.
  printf 'Installed-Size: %s\n' "$(find "$2" -mindepth 1 -printf '%y %s\n' | awk '
    { total += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print total }')"
  printf 'Depends: %s\n' "$depends"
  [[ ! $recommends ]] || printf 'Recommends: %s\n' "$recommends"
  sed -n '/^Description:/,$p' "$4"
}

# put MODE SOURCE TARGET: - is standard input.
put() {
  mkdir -p -- "$(dirname -- "$3")"
  cat -- "$2" >"$3"
  chmod -- "$1" "$3"
}

# make_package PACKAGE VERSION PROGRAM FILE [ADDITION]: an addition is one more file of the package, in
# the folder that added_file names.
make_package() {
  case $1 in
    devaccess) make_command_package "${@:2}" ;;
    *) make_broker_package "${@:2}" ;;
  esac
}

# added_file PACKAGE ADDITION: where it lies, without the first slash.
added_file() {
  case $1 in
    devaccess) printf 'usr/share/devaccess/%s\n' "${2##*/}" ;;
    *) printf 'usr/share/doc/%s/%s\n' "$1" "${2##*/}" ;;
  esac
}

# make_command_package VERSION PROGRAM FILE [ADDITION]
make_command_package() {
  local tree=$scratch/tree mode source target
  rm -rf -- "$tree"
  while IFS=$'\t' read -r mode source target; do
    put "$mode" "$source" "$tree/usr/$target"
  done < <(product_files "$2" share/zsh/vendor-completions lib/systemd/user /usr)
  gzip -9n -- "$tree/usr/share/man/man1/devaccess.1"
  [[ ! ${4-} ]] || put 644 "$4" "$tree/$(added_file devaccess "$4")"
  put 644 "$root/Packaging/debian/lintian-overrides" "$tree/usr/share/lintian/overrides/devaccess"
  pack devaccess "$1" "$tree" usr/bin/devaccess "$root/Packaging/debian/control" "$3"
}

# make_broker_package VERSION PROGRAM FILE [ADDITION]: the broker with all that starts and bounds it, so
# that no part of it is ever installed without the others.
make_broker_package() {
  local tree=$scratch/tree source=$root/Packaging/broker name=org.devaccess.Broker1
  rm -rf -- "$tree"
  put 755 "$2" "$tree/usr/libexec/devaccess-broker"
  put 644 "$source/devaccess-broker.service" "$tree/usr/lib/systemd/system/devaccess-broker.service"
  put 644 "$source/$name.service" "$tree/usr/share/dbus-1/system-services/$name.service"
  put 644 "$source/$name.conf" "$tree/usr/share/dbus-1/system.d/$name.conf"
  put 644 "$source/org.devaccess.broker.policy" \
    "$tree/usr/share/polkit-1/actions/org.devaccess.broker.policy"
  put 644 "$source/lintian-overrides" "$tree/usr/share/lintian/overrides/devaccess-broker"
  [[ ! ${4-} ]] || put 644 "$4" "$tree/$(added_file devaccess-broker "$4")"
  pack devaccess-broker "$1" "$tree" usr/libexec/devaccess-broker "$source/control" "$3"
}

# pack NAME VERSION TREE PROGRAM FIELDS FILE: adds what every package has and the scripts beside the
# fields, and builds it.
pack() {
  local documentation=$3/usr/share/doc/$1 script
  put 644 "$root/Packaging/debian/copyright" "$documentation/copyright"
  gzip -9n <"$root/CHANGELOG.md" | put 644 - "$documentation/changelog.gz"
  debian_changelog "$2" | gzip -9n | put 644 - "$documentation/changelog.Debian.gz"

  control_file "$2" "$3" "$4" "$5" >"$scratch/control" ||
    fail "the package's fields could not be made"
  (cd -- "$3" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$scratch/md5sums"
  put 644 "$scratch/control" "$3/DEBIAN/control"
  put 644 "$scratch/md5sums" "$3/DEBIAN/md5sums"
  for script in postinst prerm postrm; do
    [[ ! -f ${5%/*}/$script ]] || put 755 "${5%/*}/$script" "$3/DEBIAN/$script"
  done
  find "$3" -type d -exec chmod 755 -- {} +
  find "$3" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" -- {} +
  # One thread: how xz splits the data depends on their number.
  quietly dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$3" "$6" ||
    fail "the package could not be built; the log is above"
}

# compare_with_clone PACKAGE [OPTION…]: what differs between machines differs between two folders, mostly.
compare_with_clone() {
  local other
  [[ ! $(git -C "$root" status --porcelain) ]] || fail "--compare needs everything committed"
  git clone --quiet --no-hardlinks -- "$root" "$scratch/clone"
  other=$("$scratch/clone/Scripts/package" "${@:2}" --output "$scratch/other") ||
    fail "the clone could not be built"
  cmp -- "$1" "$other" || fail "the package depends on the folder that it is built in"
  say "the clone gives the same bytes: $(sha256sum <"$1" | cut -d ' ' -f 1)"
}
