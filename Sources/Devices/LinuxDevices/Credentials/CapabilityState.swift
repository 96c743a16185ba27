internal import AccessModel
internal import CCapability
internal import CLinux

/// A copy of the calling thread's inheritable, permitted and effective capabilities.
///
/// The C type is `cap_t`. See cap_get_proc(3), which reads the capabilities of one thread, not of
/// the process.
@safe struct CapabilityState: ~Copyable {
  private let raw: cap_t

  init() throws(Errno) {
    guard let raw = unsafe cap_get_proc() else { throw .current }
    unsafe self.raw = raw
  }

  deinit { unsafe cap_free(UnsafeMutableRawPointer(raw)) }

  /// Returns the members of one of the three sets.
  borrowing func members(of set: cap_flag_t) throws(Errno) -> CapabilitySet {
    var members = CapabilitySet()
    for number in 0..<UInt8(64) {
      guard let capability = Capability(rawValue: number) else { continue }
      var value = CAP_CLEAR
      // Beyond the last capability that libcap knows, the call fails with EINVAL.
      guard unsafe cap_get_flag(raw, cap_value_t(number), set, &value) == 0 else { break }
      if value == CAP_SET { _ = members.insert(capability) }
    }
    return members
  }

  /// Returns the bounding set of the calling thread (`PR_CAPBSET_READ`).
  static func bounding() -> CapabilitySet {
    members { cap_get_bound($0) }
  }

  /// Returns the ambient set of the calling thread (`PR_CAP_AMBIENT_IS_SET`).
  static func ambient() -> CapabilitySet {
    members { cap_get_ambient($0) }
  }

  private static func members(where value: (cap_value_t) -> Int32) -> CapabilitySet {
    var members = CapabilitySet()
    for number in 0..<UInt8(64) {
      guard let capability = Capability(rawValue: number) else { continue }
      let answer = value(cap_value_t(number))
      // Beyond the last capability that the kernel knows, the result is -1.
      guard answer >= 0 else { break }
      if answer == 1 { _ = members.insert(capability) }
    }
    return members
  }
}

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
