internal import AccessModel
internal import CLinux

extension ExecutableFacts.FileCapabilities {
  /// Reads what the attribute `security.capability` holds (`struct vfs_ns_cap_data`); `nil` for another
  /// format, and for capabilities that hold in one user namespace alone.
  init?(parsing bytes: [UInt8]) {
    func word(_ index: Int) -> UInt64 {
      (0..<4).reduce(0) { $0 | UInt64(bytes[index * 4 + $1]) << UInt64($1 * 8) }
    }
    guard bytes.count >= 12 else { return nil }
    let magic = word(0)
    switch (magic >> 24, bytes.count) {
    case (1, 12):
      self.init(
        permitted: CapabilitySet(bits: word(1)), inheritable: CapabilitySet(bits: word(2)),
        isEffective: magic & 1 != 0)
    case (2, 20), (3, 24):
      guard bytes.count == 20 || word(5) == 0 else { return nil }
      self.init(
        permitted: CapabilitySet(bits: word(1) | word(3) << 32),
        inheritable: CapabilitySet(bits: word(2) | word(4) << 32), isEffective: magic & 1 != 0)
    default: return nil
    }
  }

  /// The capabilities of the file at a canonical path; `nil` when it has none.
  ///
  /// - Throws: The error that keeps the attribute from being read.
  static func read(_ path: String) throws(Errno) -> Self? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe clinux_attribute(
        ByteText(path).cString, "security.capability", buffer.baseAddress, buffer.count)
    }
    guard count >= 0 else {
      let error = Errno(negated: Int32(clamping: count))
      if error == .noData || error == .notSupported { return nil }
      throw error
    }
    return Self(parsing: Array(bytes.prefix(count)))
  }
}
