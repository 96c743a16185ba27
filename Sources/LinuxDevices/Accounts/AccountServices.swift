internal import AccessModel

/// The services that hold accounts beside the files, as nsswitch.conf(5) names them.
enum AccountServices {
  /// Those whose accounts are in files that are watched.
  ///
  /// What nss-systemd(8) makes up beside them are the users of services while they run.
  private static let told: Set<String> = ["files", "compat", "systemd"]
  private static let databases: Set<String> = ["passwd", "group", "initgroups"]

  /// What can change without anybody telling: nothing where the files are those of a recording.
  static func gaps(_ roots: MachineRoots) -> [Unobserved] {
    guard roots.etc == "/etc" else { return [] }
    let path = "\(roots.etc)/nsswitch.conf"
    // Without the file there are only files: nsswitch.conf(5).
    guard let contents = try? BoundedFile.read(path, limit: 1 << 16) else { return [] }
    return untold(parsing: contents.bytes).map {
      Unobserved("account-events", at: path, reason: "\($0) does not report changes")
    }
  }

  /// The services that do not tell of changes, in the order of the file.
  static func untold(parsing bytes: [UInt8]) -> [String] {
    var names: [String] = []
    for line in bytes.split(separator: ByteScanner.newline) {
      let text = String(repairing: line.prefix { $0 != UInt8(ascii: "#") }, limit: 4096)
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let database = parts[0].split(whereSeparator: \.isWhitespace).first,
        databases.contains(String(database))
      else { continue }
      // What is in brackets says how to go on, such as [NOTFOUND=return].
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
