internal import AccessModel

/// The flags of an open descriptor, from `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
struct DescriptorFlags: Hashable, Sendable {
  /// The flags for open(2).
  var flags: UInt32

  /// Parses the line that contains the flags; returns `nil` if it is missing or malformed.
  init?(parsing bytes: [UInt8]) {
    let key = Array("flags:".utf8)
    for line in bytes.split(separator: ByteScanner.newline) where line.starts(with: key) {
      guard let word = ByteScanner.words(line.dropFirst(key.count)).first, word.count <= 16,
        let flags = UInt32(String(decoding: word, as: UTF8.self), radix: 8)
      else { return nil }
      self.flags = flags
      return
    }
    return nil
  }

  /// A Boolean value that indicates whether the descriptor only refers to the node (`O_PATH`).
  ///
  /// Such a descriptor does not open the device.
  var isPathOnly: Bool { flags & 0o1000_0000 != 0 }

  /// The access mode; empty for mode 3, which permits only ioctl(2).
  var access: Permissions {
    switch flags & 3 {
    case 0: .read
    case 1: .write
    case 2: [.read, .write]
    default: []
    }
  }
}
