internal import AccessModel

/// The databases of users and groups.
protocol AccountSource {
  /// The name, primary group and home directory of a user.
  mutating func user(_ id: UInt32) -> AccountFile.Line?
  mutating func user(named name: String) -> AccountFile.Line?
  mutating func groupName(_ id: UInt32) -> String?
  mutating func groupID(named name: String) -> UInt32?
  /// The groups that a new login of the user would get, the primary one first; `nil` when the
  /// database cannot be read.
  mutating func loginGroups(of user: AccountFile.Line) -> [UInt32]?
}
