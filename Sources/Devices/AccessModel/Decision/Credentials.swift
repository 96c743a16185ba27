/// The part of a subject's credentials that a system call uses.
struct Credentials: Sendable {
  var fsuid: UInt32
  var fsgid: UInt32
  /// The capabilities that are certainly effective.
  var capabilities: CapabilitySet
  /// The capabilities that may be effective, given what was observed; a superset of
  /// ``capabilities``.
  var possibleCapabilities: CapabilitySet

  func has(_ capability: Capability) -> Ternary {
    if capabilities.contains(capability) { return .yes }
    return possibleCapabilities.contains(capability) ? .maybe : .no
  }
}

extension Credentials {
  /// `SECBIT_NO_SETUID_FIXUP`.
  private static let noSetUserFixup: UInt32 = 4

  /// Creates the credentials that open(2) and `AT_EACCESS` use, which are the thread's own.
  ///
  /// See <doc:KernelRules#Credentials-of-open>.
  init(effectiveOf subject: Subject) {
    fsuid = subject.fsuid
    fsgid = subject.fsgid
    capabilities = subject.effective
    possibleCapabilities = subject.effective
    if subject.unobserved.contains(.capabilities) {
      capabilities = []
      possibleCapabilities = CapabilitySet(bits: .max)
    }
  }

  /// Creates the credentials that access(2) uses: the real IDs, and the capabilities that go with
  /// them.
  ///
  /// Unless `SECBIT_NO_SETUID_FIXUP` is set, the permitted capabilities count if the real user is
  /// root, and no capabilities count otherwise. The kernel's function is `access_override_creds`.
  ///
  /// See <doc:KernelRules#Credentials-of-access>.
  init(realOf subject: Subject) {
    self.init(effectiveOf: subject)
    fsuid = subject.ruid
    fsgid = subject.rgid
    guard !subject.unobserved.contains(.capabilities) else { return }
    let unobserved = subject.unobserved
    let isSecurebitsKnown = !unobserved.contains(.securebits)
    if isSecurebitsKnown && subject.securebits & Self.noSetUserFixup != 0 { return }
    let isRootKnown =
      !unobserved.contains(.ids) && !unobserved.contains(.userns)
      && !unobserved.contains(.overflowIDs)
    let root = subject.userNamespace.map { $0.users.outside(0) } ?? 0
    let fixed = subject.ruid == root ? subject.permitted : []
    if isSecurebitsKnown && isRootKnown {
      capabilities = fixed
      possibleCapabilities = fixed
      return
    }
    // Each unknown fact adds a set that may be the effective one.
    var certain = isRootKnown ? fixed : []
    var possible = isRootKnown ? fixed : subject.permitted
    if !isSecurebitsKnown {
      certain.formIntersection(subject.effective)
      possible.formUnion(subject.effective)
    }
    capabilities = certain
    possibleCapabilities = possible
  }
}
