package import AccessModel
internal import Glibc

/// The account databases of the running system, read through libc and the name service switch.
///
/// A lookup may block on a directory service. See getpwuid_r(3), getgrgid_r(3) and getgrouplist(3).
struct SystemAccountSource: AccountSource {
  func user(_ id: UInt32) throws(Errno) -> AccountFile.Line? {
    try unsafe user { entry, buffer, size, found in
      unsafe getpwuid_r(id, entry, buffer, size, &found)
    }
  }

  func user(named name: String) throws(Errno) -> AccountFile.Line? {
    guard Self.canBeName(name) else { return nil }
    return try unsafe user { entry, buffer, size, found in
      unsafe getpwnam_r(name, entry, buffer, size, &found)
    }
  }

  private func user(
    _ lookUp: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      inout UnsafeMutablePointer<passwd>?
    ) -> Int32
  ) throws(Errno) -> AccountFile.Line? {
    var entry = unsafe passwd()
    return try unsafe Self.lookUp(in: Self.users) { buffer, size, isFound in
      var found: UnsafeMutablePointer<passwd>?
      let failure = unsafe lookUp(&entry, buffer, size, &found)
      isFound = unsafe found != nil
      return failure
    } result: {
      guard let name = unsafe String(copying: entry.pw_name, limit: 256) else { return nil }
      return unsafe AccountFile.Line(
        name: name, id: entry.pw_uid, group: entry.pw_gid, home: String(path: entry.pw_dir))
    }
  }

  func groupID(named name: String) throws(Errno) -> UInt32? {
    guard Self.canBeName(name) else { return nil }
    var entry = unsafe Glibc.group()
    return try unsafe Self.lookUp(in: Self.groups) { buffer, size, isFound in
      var found: UnsafeMutablePointer<group>?
      let failure = unsafe getgrnam_r(name, &entry, buffer, size, &found)
      isFound = unsafe found != nil
      return failure
    } result: {
      unsafe entry.gr_gid
    }
  }

  /// Returns whether a name can be passed to a C function, and perhaps to a directory service.
  private static func canBeName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 256 && !name.utf8.contains(0)
  }

  func groupName(_ id: UInt32) throws(Errno) -> String? {
    var entry = unsafe Glibc.group()
    return try unsafe Self.lookUp(in: Self.groups) { buffer, size, isFound in
      var found: UnsafeMutablePointer<group>?
      let failure = unsafe getgrgid_r(id, &entry, buffer, size, &found)
      isFound = unsafe found != nil
      return failure
    } result: {
      unsafe String(copying: entry.gr_name, limit: 256)
    }
  }

  func loginGroups(of user: AccountFile.Line) -> [UInt32]? {
    guard let primary = user.group, (try? Self.requireReadable(Self.groups)) != nil else {
      return nil
    }
    var count: Int32 = 64
    // The database may grow between two calls. NGROUPS_MAX is 65536.
    for _ in 0..<4 {
      var groups = [gid_t](repeating: 0, count: Int(count))
      var needed = count
      if unsafe getgrouplist(user.name, primary, &groups, &needed) >= 0 {
        // getgrouplist(3) does not distinguish an unreadable file from one without matching groups.
        guard (try? Self.requireReadable(Self.groups)) != nil else { return nil }
        return Array(groups.prefix(Int(max(needed, 0))))
      }
      guard needed > count, needed <= 65537 else { return nil }
      count = needed
    }
    return nil
  }

  private static let users = "/etc/passwd"
  private static let groups = "/etc/group"

  /// Throws if an account file exists but cannot be read.
  ///
  /// If nsswitch.conf(5) lists another service after `files`, libc reports an unreadable file in
  /// the same way as a missing entry.
  ///
  /// - Throws: The error from reading the file.
  private static func requireReadable(_ file: String) throws(Errno) {
    do throws(Errno) {
      _ = try BoundedFile.read(file, limit: 1)
    } catch {
      guard error == .noSuchFile else { throw error }
    }
  }

  /// Calls a reentrant lookup function, with a larger buffer each time until the entry fits.
  ///
  /// - Parameters:
  ///   - file: The account file that the lookup may read; `nil` if it reads none.
  ///   - lookUp: Calls the function with the given buffer, sets the flag if an entry was found, and
  ///     returns the error number.
  ///   - result: Copies the result from the entry, which points into the buffer.
  /// - Throws: The error of the lookup, unless getpwnam_r(3) lists it as *not found*, or the error
  ///   from reading `file`.
  /// - Returns: The result; `nil` if there is no such entry.
  static func lookUp<Result>(
    in file: String? = nil, _ lookUp: (UnsafeMutablePointer<CChar>, Int, inout Bool) -> Int32,
    result: () -> Result?
  ) throws(Errno) -> Result? {
    var size = 1024
    var interruptions = 0
    while true {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { unsafe buffer.deallocate() }
      var isFound = false
      // Some services fail without setting `errno`, which would leave the previous value.
      errno = 0
      let failure = Errno(rawValue: unsafe lookUp(buffer, size, &isFound))
      switch failure {
      case .success where isFound: return result()
      case .success, .noSuchFile, .noSuchProcess, .badDescriptor, .notPermitted:
        if let file { try requireReadable(file) }
        return nil
      case .outOfRange where size < 1 << 20: size *= 4
      case .interrupted where interruptions < 16: interruptions += 1
      default: throw failure
      }
    }
  }
}

/// The account databases of a running system whose name service might not respond.
///
/// A lookup fails after three seconds.
struct TimeLimitedAccountSource: AccountSource {
  private let source: any AccountSource & Sendable
  private let calls: TimeLimitedCalls

  init(
    _ source: any AccountSource & Sendable = SystemAccountSource(),
    calls: TimeLimitedCalls = .accounts
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

/// Finds account services in nsswitch.conf(5) that do not report changes.
package enum AccountServices {
  /// The services whose accounts are in watched files.
  ///
  /// Besides accounts in files, nss-systemd(8) provides only the dynamic users of running services.
  private static let reported: Set<String> = ["files", "compat", "systemd"]
  private static let databases: Set<String> = ["passwd", "group", "initgroups"]

  /// Returns the account services whose changes cannot be observed.
  ///
  /// The accounts of a recorded machine are only files, so the result is empty.
  package static func gaps(_ roots: MachineRoots) -> [Unobserved] {
    guard roots.etc == "/etc" else { return [] }
    let path = "\(roots.etc)/nsswitch.conf"
    // Without nsswitch.conf(5), glibc uses only files.
    guard let contents = try? BoundedFile.read(path, limit: 1 << 16) else { return [] }
    return unreported(parsing: contents.bytes).map {
      Unobserved("account-events", at: path, reason: "\($0) does not report changes")
    }
  }

  /// Returns the services that do not report changes, in the order of the file.
  static func unreported(parsing bytes: [UInt8]) -> [String] {
    var names: [String] = []
    for line in bytes.split(separator: ByteScanner.newline) {
      let text = String(repairing: line.prefix { $0 != UInt8(ascii: "#") }, limit: 4096)
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let database = parts[0].split(whereSeparator: \.isWhitespace).first,
        databases.contains(String(database))
      else { continue }
      // Actions such as `[NOTFOUND=return]` are not services.
      var isAction = false
      for word in parts[1].split(whereSeparator: \.isWhitespace) {
        isAction = isAction || word.hasPrefix("[")
        if !isAction, !reported.contains(String(word)), !names.contains(String(word)) {
          names.append(String(word))
        }
        if word.hasSuffix("]") { isAction = false }
      }
    }
    return names
  }
}
