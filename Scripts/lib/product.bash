# The files of the product and where they are installed. Requires packages.bash and build.bash.

# Prints the version, which a constant in the source defines.
product_version() {
  local found
  found=$(grep -rhoE --include='*.swift' 'static let version = "[^"]*"' \
    "$root/Sources/Command/DeviceAccessCommands" | cut -d '"' -f 2) || true
  [[ $found =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
    fail "Sources/Command/DeviceAccessCommands must say 'static let version = \"1.2.3\"' once:" $found
  printf '%s\n' "$found"
}

# build_program FILE PRODUCT [OPTION…]: builds a program for installation, without debug
# information. The options are those of start_sooner.
build_program() {
  local path size product=$2
  install_packages build
  require_swift
  start_sooner "${@:3}"
  say "building $product; the optimiser takes some minutes"
  swift_build "${release[@]}" --product "$product" ||
    fail "$product could not be built; the log is above"
  strip --remove-section=.comment --remove-section=.note -o "$1" -- \
    "$(products "${release[@]}")/$product"
  # The hashes of the modules differ between folders, but nothing reads them. Removing the section
  # would remove the write protection of other sections.
  size=$(readelf -SW -- "$1" | sed -nE 's/.* \.swift_modhash +[A-Z]+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) .*/\1/p')
  if [[ $size ]]; then
    head -c "$((16#$size))" /dev/zero >"$scratch/zeros"
    objcopy --update-section ".swift_modhash=$scratch/zeros" -- "$1"
  fi
  path=$(readelf -dW -- "$1" | grep -E '\((RPATH|RUNPATH)\)') &&
    fail "$product would look for libraries in a folder of its own:$path"
  return 0
}

# pages_of PACKAGE: prints the manual pages that are installed with the package, one per line.
pages_of() {
  local page package
  for page in "$root"/Documentation/man/*.[1578]; do
    package=devaccess
    [[ ${page##*/} != devaccess-broker.* ]] || package=devaccess-broker
    [[ $package != "$1" ]] || printf '%s\n' "$page"
  done
}

# installed_pages PACKAGE: prints these pages in the format of the following lists.
installed_pages() {
  local page
  while IFS= read -r page; do
    printf '644\t%s\tshare/man/man%s/%s\n' "$page" "${page##*.}" "${page##*/}"
  done < <(pages_of "$1")
}

# product_files PROGRAM ZSH UNITS PREFIX: prints the files to install, one per line: mode, source,
# and target below the prefix. ZSH is the folder for zsh completions, which differs for packages.
# UNITS is the folder for systemd user units, which are not enabled; if it is empty, none is
# installed.
product_files() {
  local completions=$root/Completions/devaccess unit=$scratch/devaccess-notify.service text
  printf '%s\t%s\t%s\n' \
    755 "$1" bin/devaccess \
    644 "$root/Documentation/devaccess.schema.json" share/devaccess/devaccess.schema.json \
    644 "$completions.bash" share/bash-completion/completions/devaccess \
    644 "$completions.zsh" "$2/_devaccess" \
    644 "$completions.fish" share/fish/vendor_completions.d/devaccess.fish
  installed_pages devaccess
  [[ $3 ]] || return 0
  text=$(<"$root/Packaging/systemd/devaccess-notify.service.in")
  # In a unit, systemd interprets a percent sign as the start of a specifier.
  printf '%s\n' "${text//@BIN@/"${4//%/%%}/bin"}" >"$unit"
  printf '644\t%s\t%s\n' "$unit" "$3/devaccess-notify.service"
}

# broker_files PROGRAM: prints the files of devaccess-broker and everything that starts and
# restricts it, so no part is installed without the others. The prefix is /usr.
broker_files() {
  local source=$root/Packaging/broker name=org.devaccess.Broker1
  printf '%s\t%s\t%s\n' \
    755 "$1" libexec/devaccess-broker \
    644 "$source/devaccess-broker.service" lib/systemd/system/devaccess-broker.service \
    644 "$source/$name.service" "share/dbus-1/system-services/$name.service" \
    644 "$source/$name.conf" "share/dbus-1/system.d/$name.conf" \
    644 "$source/org.devaccess.broker.policy" share/polkit-1/actions/org.devaccess.broker.policy
  installed_pages devaccess-broker
}
