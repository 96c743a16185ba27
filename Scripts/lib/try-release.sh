#!/bin/sh
# Usage: sh Scripts/lib/try-release.sh FOLDER
#
# Runs devaccess from a release, whose files are in FOLDER, on another distribution, in a container and as
# root: from the archive, and from the packages if the distribution supports them. A distribution without
# glibc (Alpine) cannot run it, and must name what is missing.
set -eu
folder=$1
. /etc/os-release

say() { printf '%s: %s\n' "$ID" "$*"; }

fail() {
  say "$*" >&2
  exit 1
}

# expect STATUS COMMAND…
expect() {
  wanted=$1 status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [ "$status" -eq "$wanted" ] || fail "$* exited with $status instead of $wanted: $output"
  say "ok: $*"
}

# try PROGRAM
try() {
  expect 0 "$1" --version
  expect 0 "$1" status
  expect 1 "$1" explain --example
  expect 0 "$1" check --read /etc/passwd
  expect 3 "$1" check /nowhere
}

case $ID in
  debian | ubuntu)
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -qy --no-install-recommends tar gzip libudev1 libacl1 libcap2
    ;;
  fedora) dnf install -qy tar gzip systemd-libs libacl libcap ;;
  arch) pacman -Sy --noconfirm --needed tar gzip systemd-libs acl libcap ;;
  alpine) apk add -q gcompat ;;
  *) fail "this distribution is not known here" ;;
esac
place=$(mktemp -d)
tar -xzf "$folder"/devaccess-*.tar.gz -C "$place"
program=$(echo "$place"/devaccess-*/bin/devaccess)

if [ "$ID" = alpine ]; then
  if output=$("$program" --version 2>&1); then fail "it runs: $output"; fi
  printf '%s\n' "$output" | grep -E 'Error (loading shared library|relocating)' ||
    fail "it does not say what is missing: $output"
  exit 0
fi
try "$program"

case $ID in
  debian | ubuntu)
    apt-get install -qy "$folder"/devaccess_*.deb "$folder"/devaccess-broker_*.deb
    try devaccess
    apt-get purge -qy devaccess devaccess-broker
    ;;
  fedora)
    dnf install -qy "$folder"/devaccess-*.rpm
    try devaccess
    dnf remove -qy devaccess devaccess-broker
    ;;
  *) exit 0 ;;
esac
[ ! -e /usr/bin/devaccess ] || fail 'the package was not removed'
