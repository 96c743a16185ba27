internal import AccessModel
internal import CCapability

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
