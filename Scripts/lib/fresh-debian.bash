# Tests the archive and the packages on a fresh Debian system. Requires debian.bash, rpm.bash and
# root.

# in_fresh COMMAND…: runs a command in the fresh system, with a separate /proc and /sys.
in_fresh() {
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
      exec chroot "$0" env -i LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
    "$fresh" "$@" </dev/null
}

# Lists all files, except the records of apt, dpkg and rpm.
fresh_contents() {
  (
    cd -- "$fresh"
    find . -xdev \( -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt -o -path ./tmp \
      -o -path './var/lib/dpkg/status*' -o -path './var/lib/dpkg/available*' \
      -o -path './var/lib/dpkg/lock*' -o -path './var/lib/dpkg/triggers' -o -path ./var/lib/rpm \) -prune \
      -o -type f -printf '%p %m %U:%G ' -exec sha256sum -- {} \; \
      -o -printf '%p %y %m %U:%G %l\n'
  ) | sort
}

# expect STATUS WHAT COMMAND…: runs a command in the fresh system, and checks its exit status.
expect() {
  local status=0
  in_fresh "${@:3}" >"$scratch/output" 2>&1 || status=$?
  if ((status == $1)); then
    printf 'ok      %s\n' "$2"
  else
    cat -- "$scratch/output" >&2
    fail "$2: ${*:3} exited with $status instead of $1"
  fi
}

# tell WHAT COMMAND…: checks that a command succeeds.
tell() {
  "${@:2}" || fail "$1: not true"
  printf 'ok      %s\n' "$1"
}

command_runs() {
  local person=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  expect 0 'the program runs' devaccess --version
  tell 'it says its version' test "$(cat -- "$scratch/output")" = "devaccess $version"
  expect 0 'status' devaccess status --json
  expect 0 'list' "${person[@]}" devaccess list
  expect 1 'the recorded example is explained' devaccess explain --example
  expect 0 'a user may read the accounts' "${person[@]}" devaccess check --read /etc/passwd
  expect 1 'and not the passwords' "${person[@]}" devaccess check --read /etc/shadow
  expect 3 'a missing file is absent' devaccess check /nowhere
  expect 0 'the completions of bash load' \
    bash -c 'source /usr/share/bash-completion/completions/devaccess && complete -p devaccess'
}

# There is no systemd, so the bus itself starts the broker.
broker_runs() {
  local ask='mkdir -p /run/dbus && dbus-daemon --system --fork &&
    dbus-send --system --print-reply --dest=org.devaccess.Broker1 /org/devaccess/Broker1 \
      org.devaccess.Broker1.$0 string:/dev/null string:read uint32:1 uint32:3
    status=$?
    rm -rf /run/dbus
    exit "$status"'
  expect 64 'the program takes no arguments' /usr/libexec/devaccess-broker --version
  expect 70 'it needs the bus' /usr/libexec/devaccess-broker
  expect 1 'the bus starts it' bash -c "$ask" Open
  tell 'it opens no device of another kind' \
    grep -q '^Error org.devaccess.Broker1.Error.NotADevice:' "$scratch/output"
  expect 1 'the bus refuses other calls' bash -c "$ask" Other
  tell 'and says so' grep -q 'UnknownMethod\|AccessDenied' "$scratch/output"
}

# runs PACKAGE
runs() {
  case $1 in
    devaccess) command_runs ;;
    *) broker_runs ;;
  esac
}

# Runs the program from the archive, in its folder and in one with a space in its name.
archive_runs() {
  local folder=devaccess-$version-$(uname -m) file
  cp -- "$output/$(name_of archive)" "$fresh/tmp/archive.tar.gz"
  expect 0 'the archive is unpacked' tar -C /root -xf /tmp/archive.tar.gz
  expect 0 'its program runs' "/root/$folder/bin/devaccess" --version
  tell 'it has the version' test "$(cat -- "$scratch/output")" = "devaccess $version"
  expect 0 'the folder is moved' mv "/root/$folder" '/opt/a folder'
  expect 0 'status' '/opt/a folder/bin/devaccess' status --json
  expect 1 'the recorded example is explained' '/opt/a folder/bin/devaccess' explain --example
  for file in share/man/man1/devaccess.1 share/devaccess/devaccess.schema.json LICENSE; do
    tell "it has $file" test -s "$fresh/opt/a folder/$file"
  done
  expect 0 'man shows the manual' \
    bash -c 'cd "/opt/a folder" && man ./share/man/man1/devaccess.1 | grep "^SYNOPSIS"'
  expect 0 'the folder is removed' rm -r '/opt/a folder'
  is_as_before
}

is_as_before() {
  fresh_contents >"$scratch/after"
  tell 'every file is as before' diff -u -- "$scratch/before" "$scratch/after"
}

# is_gone PACKAGE: checks that nothing is left after the package was removed.
is_gone() {
  is_as_before
  tell 'no file has its name' \
    test -z "$(find "$fresh" -xdev \( -path "$fresh/var/log" -o -path "$fresh/tmp" \) -prune -o -iname '*devaccess*' -print)"
}

# debian_package_works PACKAGE
debian_package_works() {
  local added lower=$scratch/lower.deb
  cp -- "$output/$(name_of "$1.deb")" "$fresh/tmp/next.deb"
  expect 0 "the Debian package $1 is installed" dpkg --install /tmp/next.deb
  debian_package_runs "$1"
  debian_package_goes "$1"

  # An upgrade must remove files that the next version does not contain.
  added=$(added_file "$1" README.md)
  version=0.0.0 make_debian_package "$1" "$lower" "$root/README.md"
  cp -- "$lower" "$fresh/tmp/lower.deb"
  expect 0 'a lower version is installed' dpkg --install /tmp/lower.deb
  tell 'it has a file that the next one lacks' test -f "$fresh/$added"
  expect 0 'and is upgraded' dpkg --install /tmp/next.deb
  expect 0 'to the version' \
    dpkg-query --show --showformat '${Version} ${db:Status-Abbrev}' "$1"
  tell 'that was built' test "$(cat -- "$scratch/output")" = "$version-$package_revision ii "
  tell 'the file is gone' test ! -e "$fresh/$added"
  debian_package_runs "$1"
  debian_package_goes "$1"
}

debian_package_runs() {
  runs "$1"
  expect 0 'dpkg finds each file as it was packed' dpkg --verify "$1"
  tell 'and reports no other' test ! -s "$scratch/output"
}

debian_package_goes() {
  expect 0 'the package is purged' dpkg --purge "$1"
  is_gone "$1"
  expect 1 'dpkg does not know it' dpkg-query --show "$1"
}

# rpm_package_works PACKAGE: uses the rpm of this machine with a database in the fresh system. Its
# libraries do not come from RPM packages, so rpm cannot find the dependencies.
rpm_package_works() {
  local tool=(rpm --root "$fresh" --dbpath /var/lib/rpm)
  quietly "${tool[@]}" --nodeps --install "$output/$(name_of "$1.rpm")" || fail "rpm could not install $1"
  printf 'ok      the RPM package %s is installed\n' "$1"
  runs "$1"
  quietly "${tool[@]}" --nodeps --verify "$1" || fail "rpm finds other files than were packed"
  printf 'ok      rpm finds each file as it was packed\n'
  quietly "${tool[@]}" --erase "$1" || fail "rpm could not remove $1"
  printf 'ok      the package is removed\n'
  is_gone "$1"
}

# make_fresh_debian SUITE: makes a system with man and the libraries that the packages need.
make_fresh_debian() {
  local needed origin checks_age
  needed=$(for package in devaccess devaccess-broker; do
    dpkg-deb --field "$output/$(name_of "$package.deb")" Depends
  done | sed -E 's/ *\([^)]*\)//g; s/ *\|[^,]*//g; s/, */\n/g' | sort -u | paste -sd ,),man-db
  # Use the mirror of this machine.
  origin=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' | sort -u | head -n 1)
  # Accept package lists that are as old as this machine accepts.
  eval "$(apt-config shell checks_age Acquire::Check-Valid-Until/b)"
  say "making a fresh Debian $1 with $needed"
  rm -rf -- "$fresh"
  quietly mmdebstrap --quiet --variant=apt "--include=$needed" \
    "--aptopt=Acquire::Check-Valid-Until \"${checks_age:-true}\"" "$1" "$fresh" ${origin:+"$origin"} ||
    fail "mmdebstrap could not make a fresh Debian $1"
  # Every system with RPM has this folder.
  mkdir -p -- "$fresh/usr/share/licenses"
  expect 0 'the fresh Debian has no Swift' bash -c '! command -v swift && [[ ! -e /usr/lib/swift ]]'
  fresh_contents >"$scratch/before"
  tell 'its files are known' grep -q '^./usr/bin/dpkg ' "$scratch/before"
}

# check_on_fresh_debian SUITE
check_on_fresh_debian() {
  local fresh=$scratch/fresh package began=$SECONDS
  make_fresh_debian "$1"
  archive_runs
  for package in devaccess devaccess-broker; do
    debian_package_works "$package"
    rpm_package_works "$package"
  done
  say "Debian $1: $((SECONDS - began)) s"
}
