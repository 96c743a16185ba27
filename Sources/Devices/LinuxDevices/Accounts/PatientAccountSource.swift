internal import AccessModel

/// The account databases of a running system whose name service may not respond.
///
/// A lookup fails after three seconds.
struct PatientAccountSource: AccountSource {
  private let source: any AccountSource & Sendable
  private let calls: PatientCalls

  init(
    _ source: any AccountSource & Sendable = SystemAccountSource(), calls: PatientCalls = .accounts
  ) {
    self.source = source
    self.calls = calls
  }

  func user(_ id: UInt32) throws(Errno) -> AccountFile.Line? {
    try call { source throws(Errno) in try source.user(id) }
  }

  func user(named name: String) throws(Errno) -> AccountFile.Line? {
    try call { source throws(Errno) in try source.user(named: name) }
  }

  func groupName(_ id: UInt32) throws(Errno) -> String? {
    try call { source throws(Errno) in try source.groupName(id) }
  }

  func groupID(named name: String) throws(Errno) -> UInt32? {
    try call { source throws(Errno) in try source.groupID(named: name) }
  }

  func loginGroups(of user: AccountFile.Line) -> [UInt32]? {
    (try? call { source throws(Errno) in source.loginGroups(of: user) }) ?? nil
  }

  private func call<Value: Sendable>(
    _ body: @escaping @Sendable (inout any AccountSource) throws(Errno) -> Value
  ) throws(Errno) -> Value {
    let source = source
    return try calls.run { () throws(Errno) in
      var own: any AccountSource = source
      return try body(&own)
    }
  }
}
