internal import AccessModel

/// The parsed lines of `/etc/passwd` or `/etc/group` (passwd(5), group(5)).
struct AccountFile: Sendable {
  /// One user or group.
  struct Line: Hashable, Sendable {
    var name: String
    var id: UInt32
    /// The primary group; `nil` for a line of `/etc/group`.
    var group: UInt32?
    /// The home directory; `nil` for a line of `/etc/group`.
    var home: String?
    /// The members of the group; empty for a line of `/etc/passwd`.
    var members: [String] = []
  }

  private(set) var lines: [Line] = []
  private(set) var malformedLines = 0

  static let limit = 16 << 20

  /// Parses the contents of `/etc/passwd`, in the form `name:password:uid:gid:comment:home:shell`.
  init(users bytes: [UInt8]) {
    parse(bytes) { fields in
      guard fields.count == 7, let id = ByteScanner.number(fields[2]),
        let group = ByteScanner.number(fields[3])
      else { return nil }
      let home = ByteText(bytes: fields[5]).text
      return Line(name: Self.name(fields[0]), id: id, group: group, home: home)
    }
  }

  /// Parses the contents of `/etc/group`, in the form `name:password:gid:member,member`.
  init(groups bytes: [UInt8]) {
    parse(bytes) { fields in
      guard fields.count == 4, let id = ByteScanner.number(fields[2]) else { return nil }
      let members = fields[3].split(separator: UInt8(ascii: ",")).map(Self.name)
      return Line(name: Self.name(fields[0]), id: id, members: members)
    }
  }

  private mutating func parse(_ bytes: [UInt8], _ line: ([ArraySlice<UInt8>]) -> Line?) {
    for text in bytes.split(separator: ByteScanner.newline) {
      let fields = ByteScanner.split(text, at: UInt8(ascii: ":"))
      // NIS compatibility entries, such as `+::::::`, are skipped. They are not malformed.
      if let first = text.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
        continue
      }
      guard !fields[0].isEmpty, let parsed = line(fields) else {
        malformedLines += 1
        continue
      }
      lines.append(parsed)
    }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    String(repairing: bytes, limit: 256)
  }
}
