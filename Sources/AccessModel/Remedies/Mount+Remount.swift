/// How mount(8) changes a mount.
extension Mount {
  /// The option that makes it writable.
  var writableOption: FactsChange.MountOption {
    idmap != nil && superblockReadOnly ? .filesystemReadWrite : .readWrite
  }

  /// The command that remounts it with an option.
  ///
  /// mount(8) before 2.39 hands the word "idmapped" of the mount table on to the filesystem, which
  /// refuses it. Changing the mount alone hands nothing on; to change the whole filesystem, mount(8)
  /// is told not to read the table, and the flags of the mount, which would go, are given again.
  func remountCommand(_ option: FactsChange.MountOption) -> String {
    let place = at.shellQuoted
    switch option {
    case .filesystemReadWrite, .filesystemReadOnly:
      let words = ["remount", option.word] + flagWords
      return "mount --options-mode ignore -o \(words.joined(separator: ",")) \(place)"
    default:
      return "mount -o remount,\(idmap == nil ? "" : "bind,")\(option.word) \(place)"
    }
  }

  private var flagWords: [String] {
    [(nosuid, "nosuid"), (nodev, "nodev"), (noexec, "noexec"), (nosymfollow, "nosymfollow")]
      .filter(\.0).map(\.1)
  }
}
