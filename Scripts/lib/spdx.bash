# Writes a list of the components of devaccess in the SPDX 2.3 format. Requires packaging.bash.

# Prints the document as JSON: the two programs, the libraries inside them, and those that they
# load.
spdx_document() {
  local parts=() relations=() sum
  sum=$(cat -- "$program" "$broker_program" | sha256sum)
  spdx_program devaccess "$program"
  spdx_program devaccess-broker "$broker_program"
  printf '{\n  "spdxVersion": "SPDX-2.3",\n  "dataLicense": "CC0-1.0",\n'
  printf '  "SPDXID": "SPDXRef-DOCUMENT",\n  "name": "devaccess-%s-%s",\n' "$version" "$(uname -m)"
  # The namespace must be unique, but the same for the same programs.
  printf '  "documentNamespace": "urn:uuid:%s-%s-8%s-8%s-%s",\n' \
    "${sum:0:8}" "${sum:8:4}" "${sum:12:3}" "${sum:15:3}" "${sum:18:12}"
  printf '  "creationInfo": { "created": "%s", "creators": ["Tool: Scripts/release"] },\n' \
    "$(date -ud "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)"
  printf '  "packages": [\n%s\n  ],\n' "$(joined "${parts[@]}")"
  printf '  "relationships": [\n%s\n  ]\n}\n' "$(joined "${relations[@]}")"
}

# joined ITEM…: prints the items as a JSON list, without duplicates.
joined() { printf '    %s\n' "$@" | awk '!seen[$0]++' | sed '$!s/$/,/'; }

# spdx_program NAME FILE: adds a program and its libraries to parts and relations.
spdx_program() {
  local library package loaded=OPTIONAL_DEPENDENCY_OF
  # Without the bus, the broker does not work.
  [[ $1 == devaccess ]] || loaded=RUNTIME_DEPENDENCY_OF
  spdx_part "$1" "$version" Apache-2.0 "$(sha256sum <"$2" | cut -d ' ' -f 1)"
  spdx_relation DOCUMENT DESCRIBES "$1"
  while IFS=$'\t' read -r library package; do
    spdx_part "$library" "$package" "$(licence_of "$library")"
    spdx_relation "$1" STATIC_LINK "$library"
  done < <(contained_libraries "$2")
  for library in $(linked_libraries "$2"); do
    spdx_part "$library" "$(version_of_library "$library")" NOASSERTION
    spdx_relation "$1" DYNAMIC_LINK "$library"
  done
  for library in $(loaded_libraries "$1"); do
    spdx_part "$library" "$(version_of_library "$library")" NOASSERTION
    spdx_relation "$library" "$loaded" "$1"
  done
}

# contained_libraries PROGRAM: prints the libraries inside it and their versions. The Swift
# libraries are always inside, and those of GCC are if the program does not load them.
contained_libraries() {
  local swift gcc
  swift=$(<"$root/.swift-version")
  gcc=$(dpkg-query --show --showformat '${Version}\n' "libgcc-$(gcc_version)-dev" 2>/dev/null) || gcc=$(gcc_version)
  printf 'swift-stdlib\t%s\n' "$swift"
  printf 'swift-corelibs-libdispatch\t%s\n' "$swift"
  linked_libraries "$1" | grep -q '^libstdc++' || printf 'libstdc++\t%s\n' "$gcc"
  linked_libraries "$1" | grep -q '^libgcc_s' || printf 'libgcc\t%s\n' "$gcc"
}

# Prints the version of GCC whose libraries the linker uses, such as 12.
gcc_version() {
  local tools library
  tools=$(dirname -- "$(readlink -f -- "$(command -v swift || command -v gcc)")")
  library=$("$tools/clang" -print-file-name=libgcc.a 2>/dev/null) || library=$(gcc -print-file-name=libgcc.a)
  basename -- "$(dirname -- "$library")"
}

licence_of() {
  case $1 in
    swift-*) printf 'Apache-2.0 WITH Swift-exception' ;;
    *) printf 'GPL-3.0-or-later WITH GCC-exception-3.1' ;;
  esac
}

# version_of_library NAME: prints the version of the Debian package that contains it.
version_of_library() {
  local package
  package=$(dpkg-query --search "*/$1" 2>/dev/null | sed -n '1s/: .*//p')
  [[ ! $package ]] || dpkg-query --show --showformat '${Version}' "$package"
}

# spdx_part NAME VERSION LICENCE [SHA256]
spdx_part() {
  local text
  text="{ \"SPDXID\": \"$(spdx_identifier "$1")\", \"name\": \"$1\", \"versionInfo\": \"$2\""
  text+=", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false"
  text+=", \"licenseConcluded\": \"$3\", \"licenseDeclared\": \"$3\", \"copyrightText\": \"NOASSERTION\""
  [[ ! ${4-} ]] || text+=", \"checksums\": [{ \"algorithm\": \"SHA256\", \"checksumValue\": \"$4\" }]"
  parts+=("$text }")
}

# spdx_relation FROM KIND TO
spdx_relation() {
  relations+=("{ \"spdxElementId\": \"$(spdx_identifier "$1")\", \"relationshipType\": \"$2\", \"relatedSpdxElement\": \"$(spdx_identifier "$3")\" }")
}

# An identifier may contain only letters, digits, dots and hyphens.
spdx_identifier() {
  local name=${1//+/x}
  printf 'SPDXRef-%s' "${name//[^A-Za-z0-9.-]/-}"
}
