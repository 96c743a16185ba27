# Builds with the Swift toolchain, quietly, from any current directory.

require_swift() {
  command -v swift >/dev/null ||
    fail "swift is not on the PATH: install Swift 6.2 or newer, see swift.org/install"
  [[ -w $root && (! -e $root/.build || -w $root/.build) ]] ||
    fail "cannot write to $root/.build: run this as the owner of $root"
}

# If root builds in another user's folder, the files must belong to that user for the next build.
keep_owner() {
  if ((EUID == 0)) && [[ -d $root/.build && ! -O $root ]]; then
    # Another build may remove files at the same time; they need no owner.
    chown -Rh --quiet --reference="$root" -- "$root/.build" || true
  fi
}

# swift_build OPTION…: builds this package.
swift_build() { build_package "$root" "$@"; }

# build_package FOLDER OPTION…: builds the package in a folder. Shows the progress, and prints the
# log only if the build fails.
build_package() {
  local status=0 log=$scratch/log.$BASHPID
  swift_tool build --package-path "$1" "${@:2}" </dev/null 2>&1 | show_progress "$log" "$*" ||
    status=$?
  if ((status)); then cat -- "$log" >&2; fi
  keep_owner
  return "$status"
}

# show_progress LOG OPTIONS: copies the output of 'swift build' to LOG. For each target that the
# build starts, prints the step count and the name of the target. On a terminal, each line replaces
# the previous one.
show_progress() {
  local line step name begun=' ' in_place= build=
  if [[ ${DEVACCESS_PROGRESS-} == lines ]]; then
    # The folder distinguishes builds that run at the same time.
    if [[ $2 =~ --scratch-path\ [^\ ]*/([^\ /]+) ]]; then build="${BASH_REMATCH[1]}: "; fi
  elif [[ -t 2 ]]; then
    in_place=1
  fi
  while IFS= read -r line || [[ $line ]]; do
    printf '%s\n' "$line" >&3
    # [12/340] Compiling AccessModel Cause.swift
    [[ $line =~ ^(\[[0-9]+/[0-9]+\])\ (Compiling|Emitting\ module|Linking)\ ([^ ]+) ]] || continue
    step=${BASH_REMATCH[1]} name=${BASH_REMATCH[3]}
    if [[ ${BASH_REMATCH[2]} == Linking ]]; then name="linking $name"; fi
    if [[ $in_place ]]; then
      printf '\r\e[K%s: %s %s' "$self" "$step" "$name" >&2
    elif [[ $begun != *" $name "* ]]; then
      begun+="$name "
      say "$build$step $name"
    fi
  done 3>"$1"
  if [[ $in_place ]]; then printf '\r\e[K' >&2; fi
}

# Nobody debugs these builds, and without debug information the compiler has less to do. SwiftPM
# needs the index to find the tests. The index does not need the modules of the system, which take a
# quarter of the compile time of a small target.
lean=(-debug-info-format none -Xswiftc -index-ignore-system-modules)
# If nothing is built a second time, compile modules as a whole, which takes a sixth less time: the
# compiler reads each file once, instead of once for each part of a module and once for its
# interface.
if [[ ${DEVACCESS_BUILD_ONCE:-} ]]; then
  lean+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc "$(nproc)")
  lean+=(-Xswiftc -no-emit-module-separately-wmo)
fi

# The build of this package, and of the documentation's programs, which depend on it. They share a
# folder, so the libraries are built only once. SwiftPM caches the plan of one build per folder and
# would use it for the other package, so caching is disabled.
plain=(--scratch-path "$root/.build/plain" --disable-build-manifest-caching "${lean[@]}")

# products OPTION…: prints the folder with the products of swift_build with the same options.
products() {
  swift_tool build --package-path "$root" "$@" --show-bin-path </dev/null ||
    fail "swift build cannot work with $root/Package.swift; what it said is above"
}

# Options to build as for installation and measurement: optimised, and without a toolchain at run
# time. There is no library search path, because a library that another user puts next to the
# program must not be loaded. The program contains no folders of this machine and no build
# identifier, which would differ in each folder. Library functions are bound at the start, which
# takes no longer and lets the linker write-protect the table.
release=(-c release --static-swift-stdlib --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath
  -Xlinker -z -Xlinker now -Xlinker --build-id=none
  -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=.")

# start_sooner [--packed]: adds options to release that shorten the start of the program, if this
# system supports them. A short command spends more than half of its time in the dynamic linker.
# With the C++ library inside the program, there are two fewer libraries to load and relocate.
# Without exported symbols, there is no table to search. Packed relocations touch fewer pages, but
# require glibc 2.36 at run time, so a program for other machines has none (Scripts/release --check
# verifies that).
start_sooner() {
  local tools library folder=$root/.build/static-libraries glibc
  # Duplicate options would be another build plan, for which everything is rebuilt.
  [[ ! ${starts_sooner-} ]] || return 0
  starts_sooner=1
  tools=$(dirname -- "$(readlink -f -- "$(command -v swift)")")
  # Create types such as Set<Kind> by calls that know the conformances, instead of from a mangled
  # name. For a name, the runtime searches every conformance of the program, a third of a short
  # command's time.
  local direct=-disable-concrete-type-metadata-mangled-name-accessors
  if [[ $(swiftc -frontend -help-hidden 2>/dev/null) == *"$direct"* ]]; then
    release+=(-Xswiftc -Xfrontend -Xswiftc "$direct")
  fi
  [[ -x $tools/ld.lld && -x $tools/clang ]] || return 0
  release+=(-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic)
  # Use a separate folder, because the folder of the C++ library also contains the shared library,
  # which the linker prefers.
  library=$("$tools/clang" -print-file-name=libstdc++.a)
  if [[ $library == /* ]]; then
    mkdir -p -- "$folder"
    ln -sfn -- "$library" "$folder/libstdc++.a"
    release+=(-Xswiftc "-L$folder" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
  fi
  [[ ${1-} == --packed ]] || return 0
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 0
  if printf '%s\n' 'glibc 2.36' "$glibc" | sort -CV; then
    release+=(-Xlinker -z -Xlinker pack-relative-relocs)
  fi
}
