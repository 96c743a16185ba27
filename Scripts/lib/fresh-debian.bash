# Tries a package on a fresh Debian. Needs debian.bash and root.

# in_fresh COMMAND…: runs it in the fresh Debian, with /proc and /sys of its own until it ends.
in_fresh() {
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
      exec chroot "$0" env -i LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
    "$fresh" "$@" </dev/null
}

# Whatever is there, but what apt and dpkg write down of their own work.
fresh_contents() {
  (
    cd -- "$fresh"
    find . -xdev \( -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt -o -path ./tmp \
      -o -path './var/lib/dpkg/status*' -o -path './var/lib/dpkg/available*' \
      -o -path './var/lib/dpkg/lock*' -o -path './var/lib/dpkg/triggers' \) -prune \
      -o -type f -printf '%p %m %U:%G ' -exec sha256sum -- {} \; \
      -o -printf '%p %y %m %U:%G %l\n'
  ) | sort
}

# expect STATUS WHAT COMMAND…: in the fresh Debian.
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

# tell WHAT COMMAND…: fails where the command does.
tell() {
  "${@:2}" || fail "$1: not true"
  printf 'ok      %s\n' "$1"
}

# runs_without_swift PACKAGE
runs_without_swift() {
  case $1 in
    devaccess) command_runs ;;
    *) broker_runs ;;
  esac
  expect 0 'dpkg finds each file as it was packed' dpkg --verify "$1"
  tell 'and says nothing of them' test ! -s "$scratch/output"
}

command_runs() {
  local person=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  expect 0 'the program runs' devaccess --version
  tell 'it says its version' test "$(cat -- "$scratch/output")" = "devaccess $version"
  expect 0 'status' devaccess status --json
  expect 0 'list' "${person[@]}" devaccess list
  expect 1 'the recorded example is explained' devaccess explain --example
  expect 0 'somebody may read the accounts' "${person[@]}" devaccess check --read /etc/passwd
  expect 1 'nobody may read the passwords' "${person[@]}" devaccess check --read /etc/shadow
  expect 3 'what is missing is absent' devaccess check /nowhere
  expect 0 'the completions of bash load' \
    bash -c 'source /usr/share/bash-completion/completions/devaccess && complete -p devaccess'
}

# Without systemd the bus starts it itself.
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
  expect 1 'the bus lets nobody call anything else' bash -c "$ask" Other
  tell 'and says so' grep -q 'UnknownMethod\|AccessDenied' "$scratch/output"
}

# leaves_nothing PACKAGE
leaves_nothing() {
  expect 0 'the package is purged' dpkg --purge "$1"
  fresh_contents >"$scratch/after"
  tell 'every file is as before' diff -u -- "$scratch/before" "$scratch/after"
  tell 'no file bears its name' \
    test -z "$(find "$fresh" -xdev -path "$fresh/var/log" -prune -o -iname '*devaccess*' -print)"
  expect 1 'dpkg does not know it' dpkg-query --show "$1"
}

# check_on_fresh_debian PACKAGE FILE PROGRAM
check_on_fresh_debian() {
  local suite fresh=$scratch/fresh lower=$scratch/lower.deb names added
  quietly lintian --allow-root --fail-on error,warning --tag-display-limit 0 --info -- "$2" ||
    fail "lintian has found the faults above"
  printf 'ok      lintian finds nothing\n'

  suite=$(. /etc/os-release && printf '%s\n' "$VERSION_CODENAME")
  names=$(dpkg-deb --field "$2" Depends | sed -E 's/ *\([^)]*\)//g; s/ *\|[^,]*//g; s/, */,/g')
  say "making a fresh Debian $suite with $names"
  # From where this machine takes its packages.
  quietly bash -o pipefail -c 'apt-get indextargets \
    --format "deb \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" "Origin: Debian" |
    sort -u | mmdebstrap --quiet --variant=apt "--include=$1" "$2" "$3" -' \
    -- "$names" "$suite" "$fresh" || fail "mmdebstrap could not make a fresh Debian"
  expect 0 'the fresh Debian has no Swift' bash -c '! command -v swift && [[ ! -e /usr/lib/swift ]]'
  fresh_contents >"$scratch/before"
  tell 'its files are known' grep -q '^./usr/bin/dpkg ' "$scratch/before"

  cp -- "$2" "$fresh/tmp/next.deb"
  expect 0 'the package is installed' dpkg --install /tmp/next.deb
  runs_without_swift "$1"
  leaves_nothing "$1"

  # A file that the next version no longer has must go.
  added=$(added_file "$1" README.md)
  make_package "$1" "0.0.0-1" "$3" "$lower" "$root/README.md"
  cp -- "$lower" "$fresh/tmp/lower.deb"
  expect 0 'a lower version is installed' dpkg --install /tmp/lower.deb
  tell 'it has a file that the next one lacks' test -f "$fresh/$added"
  expect 0 'and is upgraded' dpkg --install /tmp/next.deb
  expect 0 'to the version' \
    dpkg-query --show --showformat '${Version} ${db:Status-Abbrev}' "$1"
  tell 'that was built' test "$(cat -- "$scratch/output")" = "$version-$debian_revision ii "
  tell 'the file is gone' test ! -e "$fresh/$added"
  runs_without_swift "$1"
  leaves_nothing "$1"
}
