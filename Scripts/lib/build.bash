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
    # What another build takes away meanwhile needs no owner.
    chown -Rh --quiet --reference="$root" -- "$root/.build" || true
  fi
}

# swift_build OPTION…: builds this package.
swift_build() { build_package "$root" "$@"; }

# build_package FOLDER OPTION…: builds the package in a folder. It shows the progress, and the log only
# if the build fails.
build_package() {
  local status=0 log=$scratch/log.$BASHPID
  swift_tool build --package-path "$1" "${@:2}" </dev/null 2>&1 | show_progress "$log" "$*" ||
    status=$?
  if ((status)); then cat -- "$log" >&2; fi
  keep_owner
  return "$status"
}

# show_progress LOG OPTIONS: copies what 'swift build' prints to LOG. For each target that it begins,
# prints the count of the build's steps and the target's name; on a terminal each line replaces the
# last one.
show_progress() {
  local line step name begun=' ' in_place= build=
  if [[ ${DEVACCESS_PROGRESS-} == lines ]]; then
    # The folder tells builds that run at the same time apart.
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

# Nobody debugs what the scripts build to try it, and the compiler has a good part less to do. The
# index stays, because it tells SwiftPM which tests there are; of the system's modules it needs nothing,
# which are a quarter of the compiler's work at a small target.
lean=(-debug-info-format none -Xswiftc -index-ignore-system-modules)
# Where nothing is built a second time, modules are compiled as a whole, which takes a sixth less: the
# compiler reads each file once, and not once for each part of a module, nor once more for its interface.
if [[ ${DEVACCESS_BUILD_ONCE:-} ]]; then
  lean+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc "$(nproc)")
  lean+=(-Xswiftc -no-emit-module-separately-wmo)
fi

# The package as it is, and the programs of the documentation, which depend on it: in one folder
# the libraries are built once for both. SwiftPM keeps the plan of one build in a folder and would
# take it for the other package's, so that it plans anew each time.
plain=(--scratch-path "$root/.build/plain" --disable-build-manifest-caching "${lean[@]}")

# The folder of the products that swift_build makes with the same options.
products() {
  swift_tool build --package-path "$root" "$@" --show-bin-path </dev/null ||
    fail "swift build cannot work with $root/Package.swift; what it said is above"
}

# As it is installed and measured: optimised, and needing no toolchain at run time. Without a path
# for libraries: one that anybody left beside the program must not be loaded.
# Folders of the machine that builds do not get into the program, nor does a build identifier, which
# would be another in each folder. Functions of libraries are bound at the start, which takes no longer
# and lets the linker write-protect the table.
release=(-c release --static-swift-stdlib --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath
  -Xlinker -z -Xlinker now -Xlinker --build-id=none
  -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=.")

# start_sooner [--packed]: adds the options to release that shorten the start of the program, if this
# system supports them. A short command spends more than half of its time in the dynamic linker. With the
# C++ library inside the program there are two libraries fewer to load and relocate, and without exported
# symbols there is no table to search. Packed relocations touch fewer pages, but they need glibc 2.36
# where the program runs, so a program for other machines has none (Scripts/release --check proves it).
start_sooner() {
  local tools library folder=$root/.build/static-libraries glibc
  # Options given twice would be another plan, for which everything is built again.
  [[ ! ${starts_sooner-} ]] || return 0
  starts_sooner=1
  tools=$(dirname -- "$(readlink -f -- "$(command -v swift)")")
  # Types such as Set<Kind> are made by calls that know the conformances, and not from a name, for
  # which the run time searches every conformance of the program: a third of a short command's time.
  local direct=-disable-concrete-type-metadata-mangled-name-accessors
  if [[ $(swiftc -frontend -help-hidden 2>/dev/null) == *"$direct"* ]]; then
    release+=(-Xswiftc -Xfrontend -Xswiftc "$direct")
  fi
  [[ -x $tools/ld.lld && -x $tools/clang ]] || return 0
  release+=(-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic)
  # A folder of its own, because the C++ library's holds the shared one too, which goes first.
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
