internal import AccessModel

/// The lines of `/etc/passwd` or `/etc/group`: fields between colons (passwd(5), group(5)).
struct AccountFile: Sendable {
  /// One user or group.
  struct Line: Hashable, Sendable {
    var name: String
    var id: UInt32
    /// Of a user: the primary group.
    var group: UInt32?
    /// Of a user: the home directory.
    var home: String?
    /// Of a group: its members.
    var members: [String] = []
  }

  private(set) var lines: [Line] = []
  private(set) var malformedLines = 0

  static let limit = 16 << 20

  /// Reads the lines of users, `name:password:uid:gid:comment:home:shell`.
  init(users bytes: [UInt8]) {
    parse(bytes) { fields in
      guard fields.count == 7, let id = ByteScanner.number(fields[2]),
        let group = ByteScanner.number(fields[3])
      else { return nil }
      let home = ByteText(bytes: fields[5]).text
      return Line(name: Self.name(fields[0]), id: id, group: group, home: home)
    }
  }

  /// Reads the lines of groups, `name:password:gid:member,member`.
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
      // A line of NIS compatibility, such as `+::::::`, is not ours to resolve.
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
