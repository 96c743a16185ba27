internal import AccessModel

/// How a descriptor was opened, from `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
struct DescriptorFlags: Hashable, Sendable {
  /// The flags of open(2).
  var flags: UInt32

  /// Reads the line with the flags; `nil` where there is none.
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

  /// `O_PATH`: it names the node without opening the device.
  var isPathOnly: Bool { flags & 0o1000_0000 != 0 }

  /// What it was opened for; nothing for the access mode 3, which allows only ioctl(2).
  var access: Permissions {
    switch flags & 3 {
    case 0: .read
    case 1: .write
    case 2: [.read, .write]
    default: []
    }
  }
}
