internal import AccessModel

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
