internal import AccessModel

/// The mounts of a process that may contain device nodes, which are those without `nodev`.
///
/// A filesystem that is mounted without privileges always has `nodev`. That includes all FUSE
/// filesystems that users mount.
struct NodePlaces {
  private var filesystems: Set<DeviceNumber> = []
  private var mounts: Set<UInt64> = []

  /// Reads the mounts of a process (proc_pid_mountinfo(5)).
  ///
  /// - Parameter folder: A descriptor of the process's folder in `/proc`.
  /// - Throws: ``Errno/tooBig`` if the table is too long, ``Errno/invalidArgument`` if a line is
  ///   malformed, or the error that prevents reading the table.
  init(of folder: Int32) throws(Errno) {
    let contents = try BoundedFile.read("mountinfo", in: folder, limit: MountTable.limit)
    guard !contents.isTruncated else { throw .tooBig }
    let table = MountTable(parsing: contents.bytes)
    guard table.malformedLines == 0 else { throw .invalidArgument }
    for entry in table.entries where !entry.isNodev {
      guard let filesystem = entry.filesystem else { throw .invalidArgument }
      mounts.insert(entry.id)
      filesystems.insert(filesystem)
    }
  }

  /// Returns whether a filesystem may contain device nodes.
  ///
  /// A filesystem that is not mounted, such as the kernel's internal one for shared memory,
  /// contains none.
  func includes(filesystem: DeviceNumber) -> Bool { filesystems.contains(filesystem) }

  /// Returns whether the file of a descriptor may be a device.
  ///
  /// - Parameter details: The contents of the descriptor's file in `fdinfo` (proc_pid_fdinfo(5)).
  /// - Returns: A Boolean value, which is `true` if the file does not contain the mount ID.
  func includes(descriptor details: [UInt8]) -> Bool {
    let key = Array("mnt_id:".utf8)
    for line in details.split(separator: ByteScanner.newline) where line.starts(with: key) {
      guard let word = ByteScanner.words(line.dropFirst(key.count)).first,
        let id = ByteScanner.number(word)
      else { return true }
      return mounts.contains(UInt64(id))
    }
    return true
  }
}
