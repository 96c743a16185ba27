# Builds with the Swift toolchain, quietly, from any current directory.

require_swift() {
  command -v swift >/dev/null ||
    fail "swift is not on the PATH: install Swift 6.2 or newer, see swift.org/install"
  [[ -w $root && (! -e $root/.build || -w $root/.build) ]] ||
    fail "cannot write to $root/.build: run this as the owner of $root"
}

# What root builds in somebody's folder stays theirs, so that their next build works.
keep_owner() {
  if ((EUID == 0)) && [[ -d $root/.build && ! -O $root ]]; then
    chown -Rh --reference="$root" -- "$root/.build"
  fi
}

# swift_build OPTION…: builds, and shows the log only when that fails.
swift_build() {
  local status=0
  quietly swift build --package-path "$root" "$@" || status=$?
  keep_owner
  return "$status"
}

# The folder of the products that swift_build makes with the same options.
products() {
  swift build --package-path "$root" "$@" --show-bin-path </dev/null ||
    fail "swift build cannot work with $root/Package.swift; what it said is above"
}

# As it is installed and measured: optimised, and needing no toolchain at run time.
release=(-c release --static-swift-stdlib)
