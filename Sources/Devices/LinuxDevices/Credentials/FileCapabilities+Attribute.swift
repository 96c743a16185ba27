internal import AccessModel
internal import CLinux

extension ExecutableFacts.FileCapabilities {
  /// Parses the attribute `security.capability` (`struct vfs_ns_cap_data`).
  ///
  /// The result is `nil` for an unknown format, or if the capabilities apply only in one user
  /// namespace.
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

  /// Returns the capabilities of the file at a canonical path.
  ///
  /// - Throws: The error from reading the attribute.
  /// - Returns: The capabilities; `nil` if the file has none, or none that ``init(parsing:)``
  ///   accepts.
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
