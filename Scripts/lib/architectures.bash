# Checks for Scripts/lint that no C code assumes the architecture of this machine. A fault is an
# error message of the compiler, which contains the file and the line.

arm64_compiler=aarch64-linux-gnu-gcc

c_for_arm64() {
  local file faults
  if command -v gcc >/dev/null; then compile_c gcc Scripts/lib/layouts.c; fi
  if ! command -v "$arm64_compiler" >/dev/null; then
    say "note: the C code is not compiled for arm64, because $arm64_compiler is missing (Scripts/packages)"
    return 0
  fi
  while IFS= read -r file; do
    compile_c "$arm64_compiler" "$file"
  done < <(tree_files | grep -E '\.c$|^CModules/.*\.h$')
}

# compile_c COMPILER FILE: compiles a C file, or the header of a module as a file that only includes
# it.
#
# The headers of other libraries are those of this machine. They are the same for each architecture,
# and are searched after those of the compiler's own C library. GCC does not know clang's
# nullability keywords.
compile_c() {
  local folder=${2%/*}
  "$1" -x c -std=gnu17 -O2 -c -o "$scratch/object" "-I$folder" "-I$folder/include" -idirafter /usr/include \
    $(pkg-config --cflags libsecret-1 2>/dev/null) '-D_Nonnull=' '-D_Nullable=' '-D_Null_unspecified=' \
    -w -Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=int-conversion \
    "$2" 2>&1 | grep -E ': (fatal )?error: ' || true
}
