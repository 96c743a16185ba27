internal import AccessModel

/// A source of user and group accounts.
///
/// A lookup returns `nil` if the database has no such entry. It throws if the database cannot be
/// read, for example because a directory service does not respond.
protocol AccountSource {
  /// Returns the name, primary group and home directory of a user.
  mutating func user(_ id: UInt32) throws(Errno) -> AccountFile.Line?
  mutating func user(named name: String) throws(Errno) -> AccountFile.Line?
  mutating func groupName(_ id: UInt32) throws(Errno) -> String?
  mutating func groupID(named name: String) throws(Errno) -> UInt32?
  /// Returns the groups that a new login of the user would get, starting with the primary group.
  ///
  /// The result is `nil` if the database cannot be read.
  mutating func loginGroups(of user: AccountFile.Line) -> [UInt32]?
}

/// Selects the account source of a machine.
enum AccountSources {
  /// Returns the name service for the running system, or the account files for any other `/etc`.
  static func source(
    _ roots: MachineRoots, _ unobserved: inout [Unobserved]
  ) -> any AccountSource {
    if roots.etc == "/etc" {
      // A lookup in files cannot hang, so it needs no timeout.
      return AccountServices.gaps(roots).isEmpty
        ? SystemAccountSource() : TimeLimitedAccountSource()
    }
    return FileAccountSource(etc: roots.etc, &unobserved)
  }

  /// Returns the home directory of a user; `nil` unless the database has an absolute path.
  static func home(of user: UInt32, _ roots: MachineRoots) -> String? {
    var ignored: [Unobserved] = []
    var source = source(roots, &ignored)
    return (try? source.user(user))?.home.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }
}

extension AccountSource {
  /// Returns the user with the given name; if no user has it, digits are a user ID, as for id(1).
  mutating func user(word: String) throws(Errno) -> AccountFile.Line? {
    if let user = try user(named: word) { return user }
    guard let number = number(word: word) else { return nil }
    return try user(number)
  }

  /// Returns the ID of the group with the given name; if no group has it, digits are a group ID.
  mutating func group(word: String) throws(Errno) -> UInt32? {
    try groupID(named: word) ?? number(word: word)
  }

  /// Returns the ID that a decimal number stands for; `nil` if the word is not a valid ID.
  func number(word: String) -> UInt32? {
    // -1 is not a valid ID: in system calls such as chown(2) it means "unchanged".
    ByteScanner.number(Array(word.utf8)[...]).flatMap { $0 == .max ? nil : $0 }
  }
}

/// The account databases of a recorded machine, read from `passwd` and `group` in its `/etc`.
struct FileAccountSource: AccountSource {
  private let allUsers: [AccountFile.Line]
  private let users: [UInt32: AccountFile.Line]
  private let groupNames: [UInt32: String]
  private let groups: [AccountFile.Line]?
  private let userFailure: Errno?
  private let groupFailure: Errno?

  init(etc: String, _ unobserved: inout [Unobserved]) {
    let (users, userFailure) =
      Self.read("\(etc)/passwd", &unobserved, AccountFile.init(users:))
    let (groups, groupFailure) =
      Self.read("\(etc)/group", &unobserved, AccountFile.init(groups:))
    self.userFailure = userFailure
    self.groupFailure = groupFailure
    allUsers = users?.lines ?? []
    // If several lines have the same ID, the first one counts, as in getpwuid(3).
    self.users = Dictionary(
      (users?.lines ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    groupNames = Dictionary(
      (groups?.lines ?? []).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.groups = groups?.lines
  }

  func user(_ id: UInt32) throws(Errno) -> AccountFile.Line? {
    if let userFailure { throw userFailure }
    return users[id]
  }

  func user(named name: String) throws(Errno) -> AccountFile.Line? {
    if let userFailure { throw userFailure }
    return allUsers.first { $0.name == name }
  }

  func groupName(_ id: UInt32) throws(Errno) -> String? {
    if let groupFailure { throw groupFailure }
    return groupNames[id]
  }

  func groupID(named name: String) throws(Errno) -> UInt32? {
    if let groupFailure { throw groupFailure }
    return groups?.first { $0.name == name }?.id
  }

  func loginGroups(of user: AccountFile.Line) -> [UInt32]? {
    guard let groups, let primary = user.group else { return nil }
    var result = [primary]
    for group in groups where group.members.contains(user.name) && !result.contains(group.id) {
      result.append(group.id)
    }
    return result
  }

  private static func read(
    _ path: String, _ unobserved: inout [Unobserved], _ parse: ([UInt8]) -> AccountFile
  ) -> (file: AccountFile?, failure: Errno?) {
    do throws(Errno) {
      let contents = try BoundedFile.read(path, limit: AccountFile.limit)
      let file = parse(contents.bytes)
      if contents.isTruncated {
        unobserved.append(Unobserved("accounts", at: path, reason: "longer than 16 MiB"))
      }
      if file.malformedLines > 0 {
        unobserved.append(
          Unobserved(
            "accounts", at: path, reason: "malformed lines skipped: \(file.malformedLines)"))
      }
      return (file, nil)
    } catch {
      unobserved.append(Unobserved("accounts", at: path, reason: error.reason))
      // As in the name service, a missing file is an empty database.
      return (nil, error == .noSuchFile ? nil : error)
    }
  }
}

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
