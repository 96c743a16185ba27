# What the product consists of where it is installed. Needs packages.bash and build.bash.

# The version, which one constant in the source holds.
product_version() {
  local found
  found=$(grep -rhoE --include='*.swift' 'static let version = "[^"]*"' \
    "$root/Sources/DeviceAccessCommands" | cut -d '"' -f 2) || true
  [[ $found =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
    fail "Sources/DeviceAccessCommands must say 'static let version = \"1.2.3\"' once:" $found
  printf '%s\n' "$found"
}

# build_program FILE PRODUCT [OPTION…]: builds a program as it is installed, without what only a debugger
# reads. The options are those of start_sooner.
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
  # The hashes of the modules differ from folder to folder, and nothing reads them. Taking the
  # section out would lose the write protection of others.
  size=$(readelf -SW -- "$1" | sed -nE 's/.* \.swift_modhash +[A-Z]+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) .*/\1/p')
  if [[ $size ]]; then
    head -c "$((16#$size))" /dev/zero >"$scratch/zeros"
    objcopy --update-section ".swift_modhash=$scratch/zeros" -- "$1"
  fi
  path=$(readelf -dW -- "$1" | grep -E '\((RPATH|RUNPATH)\)') &&
    fail "$product would look for libraries in a folder of its own:$path"
  return 0
}

# product_files PROGRAM FOLDER UNITS PREFIX: what is installed, a line each: mode, source, and target
# below the prefix. zsh reads completions from another FOLDER if they come in a package, and systemd
# UNITS of its user manager. They are installed and not enabled.
product_files() {
  local completions=$root/Completions/devaccess unit=$scratch/devaccess-notify.service text
  text=$(<"$root/Packaging/systemd/devaccess-notify.service.in")
  # systemd reads a percent sign as the beginning of a specifier.
  printf '%s\n' "${text//@BIN@/"${4//%/%%}/bin"}" >"$unit"
  printf '%s\t%s\t%s\n' \
    755 "$1" bin/devaccess \
    644 "$root/Documentation/devaccess.1" share/man/man1/devaccess.1 \
    644 "$root/Documentation/devaccess.schema.json" share/devaccess/devaccess.schema.json \
    644 "$completions.bash" share/bash-completion/completions/devaccess \
    644 "$completions.zsh" "$2/_devaccess" \
    644 "$completions.fish" share/fish/vendor_completions.d/devaccess.fish \
    644 "$unit" "$3/devaccess-notify.service"
}
