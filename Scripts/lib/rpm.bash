# Makes RPM packages for Fedora, RHEL and openSUSE. Needs packaging.bash.

# make_rpm_package PACKAGE FILE
make_rpm_package() {
  local tree=$scratch/tree list=$scratch/files
  rm -rf -- "$tree"
  case $1 in
    devaccess)
      put_product "$tree/usr" product_files "$program" share/zsh/site-functions lib/systemd/user /usr
      ;;
    *) put_product "$tree/usr" broker_files "$broker_program" ;;
  esac
  compress_pages "$tree"
  put 644 "$root/LICENSE" "$tree/usr/share/licenses/$1/LICENSE"
  put 644 "$root/CHANGELOG.md" "$tree/usr/share/doc/$1/CHANGELOG.md"
  put 644 "$root/Packaging/debian/copyright" "$tree/usr/share/doc/$1/copyright"
  same_times "$tree"
  rpm_files "$tree" >"$list"
  quietly rpmbuild -bb --target "$(uname -m)" "${rpm_options[@]}" \
    --define "_topdir $scratch/rpm" \
    --define "release_version $version" --define "release_revision $package_revision" \
    --define "release_tree $tree" --define "release_files $list" --define "release_mark $(library_mark)" \
    --define "release_recommends $(rpm_recommends "$1")" \
    "$root/Packaging/rpm/$1.spec" || fail "the RPM package could not be built; the log is above"
  mv -fT -- "$scratch/rpm/RPMS/$(uname -m)/$1-$version-$package_revision.$(uname -m).rpm" "$2"
}

# The programs are already stripped, and packages contain neither the machine nor the build time.
# RHEL 9 and later, Fedora and openSUSE read zstd. More threads would split the data differently.
rpm_options=(
  --define 'debug_package %{nil}' --define '__os_install_post %{nil}' --define '_build_id_links none'
  --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1'
  --define 'source_date_epoch_from_changelog 0' --define '_buildhost devaccess'
  --define '_binary_payload w19.zstdio'
)

# rpm_files TREE: prints the list of files, and the folders that no other package may contain. Those
# of a shell are included because the shell may not be installed.
rpm_files() {
  local file
  printf '%s\n' '%defattr(-,root,root)'
  find "$1" -type d \( -path '*/share/devaccess' -o -path '*/share/licenses/*' -o -path '*/share/doc/*' \
    -o -path '*/share/fish*' -o -path '*/share/zsh*' \) -printf '%%%%dir /%P\n' | sort
  find "$1" -type f -printf '/%P\n' | sort | while IFS= read -r file; do
    case $file in
      /usr/share/licenses/*) printf '%%license %s\n' "$file" ;;
      /usr/share/doc/*) printf '%%doc %s\n' "$file" ;;
      *) printf '%s\n' "$file" ;;
    esac
  done
}

# Prints the suffix of a library name in a dependency.
library_mark() { if [[ $(getconf LONG_BIT) == 64 ]]; then echo '()(64bit)'; fi; }

# rpm_recommends PACKAGE: prints a field for the libraries that its program loads on demand.
rpm_recommends() {
  local names
  names=$(loaded_libraries "$1" | sed "s/\$/$(library_mark)/" | paste -sd , | sed 's/,/, /g')
  if [[ $names ]]; then printf 'Recommends: %s' "$names"; else printf '%%{nil}'; fi
}
