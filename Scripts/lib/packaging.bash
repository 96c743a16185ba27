# Functions for all packages and the archive of a release. Requires product.bash.

# Increase it if a package changes but the product does not.
package_revision=1

# Sets the time of all files in a package, which the packaging tools read as well.
set_source_date() {
  if [[ ! ${SOURCE_DATE_EPOCH-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) ||
      fail "$root is not a Git repository: set SOURCE_DATE_EPOCH to the time of the source"
  fi
  [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || fail "SOURCE_DATE_EPOCH is not a number of seconds"
  export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
}

# require_releasable VERSION: fails if this source is not that release.
require_releasable() {
  local tag
  [[ $1 == "$(product_version)" ]] || fail "the source has version $(product_version), not $1"
  [[ ! $(git -C "$root" status --porcelain) ]] || fail "not everything is committed"
  grep -qE "^## \[${1//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" "$root/CHANGELOG.md" ||
    fail "CHANGELOG.md has no section '## [$1] - DATE'"
  [[ $(changes_of "$1" | grep -c .) != 0 ]] || fail "the section of $1 in CHANGELOG.md is empty"
  tag=$(git -C "$root" rev-parse --quiet --verify "refs/tags/$1^{commit}") || return 0
  [[ $tag == "$(git -C "$root" rev-parse HEAD)" ]] || fail "the tag $1 is on another commit"
}

# changes_of VERSION: prints the section of CHANGELOG.md about a version, without headings.
changes_of() {
  awk -v heading="## [$1]" '
    /^## / { inside = index($0, heading) == 1; next }
    inside && !/^#/' "$root/CHANGELOG.md"
}

# Prints the files of a release, one per line: the type and the name.
release_names() {
  local machine
  machine=$(uname -m)
  printf '%s\t%s\n' \
    archive "devaccess-$version-$machine.tar.gz" \
    spdx "devaccess-$version-$machine.spdx.json"
  for package in devaccess devaccess-broker; do
    printf '%s\t%s\n' \
      "$package.deb" "${package}_$version-${package_revision}_$(dpkg --print-architecture).deb" \
      "$package.rpm" "$package-$version-$package_revision.$machine.rpm"
  done
}

name_of() { awk -F '\t' -v what="$1" '$1 == what { print $2 }' <<<"$names"; }

# program_of PACKAGE: prints the path of its program.
program_of() {
  case $1 in
    devaccess) printf '%s\n' "$program" ;;
    *) printf '%s\n' "$broker_program" ;;
  esac
}

# Makes all files in the output folder, and prints their paths.
make_release() {
  local made=$scratch/made package file
  mkdir -p -- "$made"
  make_archive "$made/$(name_of archive)"
  for package in devaccess devaccess-broker; do
    make_debian_package "$package" "$made/$(name_of "$package.deb")"
    make_rpm_package "$package" "$made/$(name_of "$package.rpm")"
  done
  spdx_document >"$made/$(name_of spdx)"
  (cd -- "$made" && sha256sum -- * >SHA256SUMS)

  mkdir -p -- "$output"
  for file in "$made"/*; do
    mv -fT -- "$file" "$output/${file##*/}"
    printf '%s\n' "$output/${file##*/}"
  done
}

# Extracts the programs from existing packages.
unpack_programs() {
  local folder=$scratch/programs package
  for package in devaccess devaccess-broker; do
    [[ -f $output/$(name_of "$package.deb") ]] || fail "$output has no $(name_of "$package.deb")"
    quietly dpkg-deb --extract "$output/$(name_of "$package.deb")" "$folder" || fail "it could not be unpacked"
  done
  program=$folder/usr/bin/devaccess broker_program=$folder/usr/libexec/devaccess-broker
}

# put MODE SOURCE TARGET: copies a file; - is standard input.
put() {
  mkdir -p -- "$(dirname -- "$3")"
  cat -- "$2" >"$3"
  chmod -- "$1" "$3"
}

# put_product TREE FILES…: copies the files that a function such as product_files lists.
put_product() {
  local mode source target
  while IFS=$'\t' read -r mode source target; do
    put "$mode" "$source" "$1/$target"
  done < <("${@:2}")
}

# compress_pages TREE: compresses the manual pages, as packages must.
compress_pages() {
  [[ ! -d $1/usr/share/man ]] || find "$1/usr/share/man" -type f -exec gzip -9n -- {} +
}

# same_times TREE: sets the times of all files to the time of the source, and the modes of the
# folders.
same_times() {
  find "$1" -type d -exec chmod 755 -- {} +
  find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" -- {} +
}

# make_archive FILE: makes an archive of one folder with the program, its manual, completions,
# schema and licence. It has no unit, which would contain the path of the program, and no broker,
# which works only after installation.
make_archive() {
  local folder=devaccess-$version-$(uname -m) tree=$scratch/archive
  rm -rf -- "$tree"
  put_product "$tree/$folder" product_files "$program" share/zsh/site-functions '' ''
  put 644 "$root/LICENSE" "$tree/$folder/LICENSE"
  put 644 "$root/Packaging/debian/copyright" "$tree/$folder/share/doc/devaccess/copyright"
  same_times "$tree"
  tar -C "$tree" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -c -- "$folder" |
    gzip -9n >"$1"
}

# loaded_libraries PACKAGE: prints the libraries that its program loads on demand, which only the
# source code names.
loaded_libraries() {
  local library targets=(Devices/LinuxDevices Base/MessageBus)
  [[ $1 != devaccess ]] || targets+=(Command/TerminalScreen)
  { grep -rhoE --include='*.swift' '"lib[[:alnum:]_+-]+\.so\.[0-9]+"' "${targets[@]/#/$root/Sources/}" ||
    true; } | tr -d '"' | sort -u | while IFS= read -r library; do
    linked_libraries "$(program_of "$1")" | grep -qxF -- "$library" || printf '%s\n' "$library"
  done
}

# linked_libraries PROGRAM: prints the libraries that the dynamic linker loads for it.
linked_libraries() { readelf -dW -- "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p' | sort; }

# glibc_floor PROGRAM: prints the oldest glibc with which it runs, the newest version among its
# symbols.
glibc_floor() {
  {
    readelf -VW -- "$1" | grep -oE 'Name: GLIBC_[0-9.]+' | sed 's/.*_//'
    # Packed relocations require a version that no symbol shows.
    if readelf -dW -- "$1" | grep -q '(RELR)'; then echo 2.36; fi
  } | sort -V | tail -n 1
}

# compare_with_clone [OPTION…]: builds in another folder, where most differences between machines
# show.
compare_with_clone() {
  local other=$scratch/other
  [[ ! $(git -C "$root" status --porcelain) ]] || fail "--compare needs everything committed"
  git clone --quiet --no-hardlinks -- "$root" "$scratch/clone"
  "$scratch/clone/Scripts/release" "$@" --output "$other" >"$scratch/files" ||
    fail "the clone could not be built"
  diff -- "$output/SHA256SUMS" "$other/SHA256SUMS" >&2 ||
    fail "the files depend on the folder that they are built in"
  say "the clone gives the same bytes, in $(wc -l <"$scratch/files") files"
}
