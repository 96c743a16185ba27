internal import AccessModel

/// Finds account services in nsswitch.conf(5) that do not report changes.
enum AccountServices {
  /// The services whose accounts are in watched files.
  ///
  /// Besides accounts in files, nss-systemd(8) provides only the dynamic users of running services.
  private static let told: Set<String> = ["files", "compat", "systemd"]
  private static let databases: Set<String> = ["passwd", "group", "initgroups"]

  /// Returns the account services whose changes cannot be observed.
  ///
  /// The accounts of a recorded machine are only files, so the result is empty.
  static func gaps(_ roots: MachineRoots) -> [Unobserved] {
    guard roots.etc == "/etc" else { return [] }
    let path = "\(roots.etc)/nsswitch.conf"
    // Without nsswitch.conf(5), glibc uses only files.
    guard let contents = try? BoundedFile.read(path, limit: 1 << 16) else { return [] }
    return untold(parsing: contents.bytes).map {
      Unobserved("account-events", at: path, reason: "\($0) does not report changes")
    }
  }

  /// Returns the services that do not report changes, in the order of the file.
  static func untold(parsing bytes: [UInt8]) -> [String] {
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
        if !isAction, !told.contains(String(word)), !names.contains(String(word)) {
          names.append(String(word))
        }
        if word.hasSuffix("]") { isAction = false }
      }
    }
    return names
  }
}
