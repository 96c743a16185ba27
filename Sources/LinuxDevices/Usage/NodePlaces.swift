internal import AccessModel

/// Where device nodes could be that a process has opened: on mounts without `nodev`.
///
/// Whoever mounts a filesystem without privileges gets it with `nodev`, such as all that users mount
/// through FUSE.
struct NodePlaces {
  private var filesystems: Set<DeviceNumber> = []
  private var mounts: Set<UInt64> = []

  /// Reads the mounts of a process (proc_pid_mountinfo(5)).
  ///
  /// - Parameter folder: The folder of the process below `/proc`.
  /// - Throws: What keeps them from being read whole; ``Errno/tooBig`` where the table is too long, and
  ///   ``Errno/invalidArgument`` where a line of it cannot be understood.
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

  /// Whether a file of a filesystem could be a device.
  ///
  /// What is mounted nowhere, such as the kernel's own filesystem of shared memory, has no nodes.
  func includes(filesystem: DeviceNumber) -> Bool { filesystems.contains(filesystem) }

  /// Whether the file of a descriptor could be a device.
  ///
  /// - Parameter details: What its file in `fdinfo` holds (proc_pid_fdinfo(5)).
  /// - Returns: The answer; `true` where the mount is not told.
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
