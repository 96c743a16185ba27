# Checks the files of a release, for Scripts/release --check. Requires fresh-debian.bash.

# The oldest glibc that a release supports, which is that of RHEL 9.
oldest_glibc=2.34

# check_release SUITE…
check_release() {
  local suite
  check_floor devaccess "$program"
  check_floor devaccess-broker "$broker_program"
  check_packages
  tell 'the list of libraries is JSON' quietly python3 -m json.tool "$output/$(name_of spdx)"
  tell 'the sums are right' quietly env -C "$output" sha256sum --check --strict SHA256SUMS
  for suite; do check_on_fresh_debian "$suite"; done
}

# check_floor NAME PROGRAM: checks the oldest glibc that it runs with, from the versions of its
# symbols.
check_floor() {
  local floor allowed=$oldest_glibc
  [[ ! ${start[*]} ]] || allowed=2.36
  floor=$(glibc_floor "$2")
  if [[ ! $floor ]] || ! printf '%s\n' "$floor" "$allowed" | sort -CV; then
    readelf -VW -- "$2" | grep -E 'Name: GLIBC_' | sed -E 's/.*Name: ([^ ]+).*/\1/' | sort -uV | tail -n 3 >&2
    fail "$1 needs glibc $floor, newer than $allowed"
  fi
  printf 'ok      %s needs glibc %s\n' "$1" "$floor"
}

check_packages() {
  local package
  for package in devaccess devaccess-broker; do
    quietly lintian --allow-root --fail-on error,warning,info --tag-display-limit 0 --info \
      --display-info -- "$output/$(name_of "$package.deb")" || fail "lintian has found the faults above"
    printf 'ok      lintian finds nothing in %s\n' "$package"
  done
}
