# Makes Debian packages. Needs packaging.bash.

# debian_changelog: prints the changelog section of the version in Debian's format.
debian_changelog() {
  printf 'devaccess (%s) unstable; urgency=medium\n\n' "$version-$package_revision"
  # Join each entry into one line, then wrap it again.
  changes_of "$version" | awk '
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

# needed_packages PROGRAM: prints the packages of the C libraries that it is linked with, and the
# minimum versions for the functions that it calls.
needed_packages() {
  local folder=$scratch/dependencies
  mkdir -p -- "$folder/debian"
  printf 'Source: devaccess\n\nPackage: devaccess\nArchitecture: any\n' >"$folder/debian/control"
  (cd -- "$folder" && dpkg-shlibdeps -O -e"$1" 2>"$scratch/log") >"$folder/names" ||
    { cat -- "$scratch/log" >&2 && return 1; }
  # dpkg-shlibdeps ignores packed relocations, which require a version although no symbol has it.
  if readelf -dW -- "$1" | grep -q '(RELR)'; then
    sed -i -E 's/\b(libc6[^ ,]* \(>= )2\.([0-9]|[12][0-9]|3[0-5])\)/\12.36)/' "$folder/names"
  fi
  sed 's/^shlibs:Depends=//' "$folder/names"
}

# loaded_packages PACKAGE: prints the packages of the libraries that its program loads on demand.
loaded_packages() {
  local library
  loaded_libraries "$1" | while IFS= read -r library; do
    dpkg-query --search "*/$library" | sed -n '1s/:.*//p'
  done | sort -u | paste -sd , | sed 's/,/, /g'
}

# control_file PACKAGE TREE FIELDS: prints the control file of the package, based on the fields in a
# file.
control_file() {
  local depends recommends=''
  depends=$(needed_packages "$(program_of "$1")") || return 1
  if grep -q '^Depends:' "$3"; then
    depends+=", $(control_field Depends "$3")"
  else
    recommends=$(loaded_packages "$1") || return 1
  fi
  grep -v -e '^#' -e '^Depends:' "$3" | sed '/^Description:/,$d'
  printf 'Version: %s\nArchitecture: %s\n' "$version-$package_revision" "$(dpkg --print-architecture)"
  # Count like dpkg-gencontrol: one kilobyte for each folder and link, and files rounded up.
  printf 'Installed-Size: %s\n' "$(find "$2" -mindepth 1 -printf '%y %s\n' | awk '
    { total += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print total }')"
  printf 'Depends: %s\n' "$depends"
  [[ ! $recommends ]] || printf 'Recommends: %s\n' "$recommends"
  sed -n '/^Description:/,$p' "$3"
}

# make_debian_package PACKAGE FILE [ADDITION]: makes a package. ADDITION is one more file for the
# package, in the folder that added_file returns.
make_debian_package() {
  local tree=$scratch/tree
  rm -rf -- "$tree"
  case $1 in
    devaccess)
      put_product "$tree/usr" product_files "$program" share/zsh/vendor-completions lib/systemd/user /usr
      put 644 "$root/Packaging/debian/lintian-overrides" "$tree/usr/share/lintian/overrides/$1"
      ;;
    *)
      put_product "$tree/usr" broker_files "$broker_program"
      put 644 "$root/Packaging/broker/lintian-overrides" "$tree/usr/share/lintian/overrides/$1"
      ;;
  esac
  [[ ! ${3-} ]] || put 644 "$3" "$tree/$(added_file "$1" "$3")"
  compress_pages "$tree"
  case $1 in
    devaccess) pack "$1" "$tree" "$root/Packaging/debian/control" "$2" ;;
    *) pack "$1" "$tree" "$root/Packaging/broker/control" "$2" ;;
  esac
}

# added_file PACKAGE ADDITION: prints its path, without the leading slash.
added_file() {
  case $1 in
    devaccess) printf 'usr/share/devaccess/%s\n' "${2##*/}" ;;
    *) printf 'usr/share/doc/%s/%s\n' "$1" "${2##*/}" ;;
  esac
}

# pack PACKAGE TREE FIELDS FILE: adds the files that every package has and the scripts next to the
# fields, and builds the package.
pack() {
  local documentation=$2/usr/share/doc/$1 script
  put 644 "$root/Packaging/debian/copyright" "$documentation/copyright"
  gzip -9n <"$root/CHANGELOG.md" | put 644 - "$documentation/changelog.gz"
  debian_changelog | gzip -9n | put 644 - "$documentation/changelog.Debian.gz"

  control_file "$1" "$2" "$3" >"$scratch/control" ||
    fail "the package's fields could not be made"
  (cd -- "$2" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$scratch/md5sums"
  put 644 "$scratch/control" "$2/DEBIAN/control"
  put 644 "$scratch/md5sums" "$2/DEBIAN/md5sums"
  for script in postinst prerm postrm; do
    [[ ! -f ${3%/*}/$script ]] || put 755 "${3%/*}/$script" "$2/DEBIAN/$script"
  done
  same_times "$2"
  # Use one thread, because xz splits the data differently for each number of threads.
  quietly dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$2" "$4" ||
    fail "the package could not be built; the log is above"
}
