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
  /// - Throws: What keeps them from being read whole.
  init(of folder: Int32) throws(Errno) {
    let table = try BoundedFile.read("mountinfo", in: folder, limit: MountTable.limit)
    guard !table.isTruncated else { throw .tooBig }
    for line in table.bytes.split(separator: ByteScanner.newline) {
      // 36 35 98:0 /root /point rw,nodev …
      let words = line.split(separator: ByteScanner.space, maxSplits: 6)
      guard words.count > 6, let id = ByteScanner.number(words[0]) else { continue }
      let options = words[5].split(separator: UInt8(ascii: ","))
      guard !options.contains(where: { $0.elementsEqual("nodev".utf8) }) else { continue }
      mounts.insert(UInt64(id))
      let number = words[2].split(separator: UInt8(ascii: ":")).map { ByteScanner.number($0) }
      if number.count == 2, let major = number[0].flatMap({ UInt32(exactly: $0) }),
        let minor = number[1].flatMap({ UInt32(exactly: $0) })
      {
        filesystems.insert(DeviceNumber(major: major, minor: minor))
      }
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
