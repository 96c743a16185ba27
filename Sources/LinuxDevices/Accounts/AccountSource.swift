internal import AccessModel

/// The databases of users and groups.
///
/// A lookup is `nil` for what a database does not have, and throws where that cannot be told, as
/// when a directory service does not answer.
protocol AccountSource {
  /// The name, primary group and home directory of a user.
  mutating func user(_ id: UInt32) throws(Errno) -> AccountFile.Line?
  mutating func user(named name: String) throws(Errno) -> AccountFile.Line?
  mutating func groupName(_ id: UInt32) throws(Errno) -> String?
  mutating func groupID(named name: String) throws(Errno) -> UInt32?
  /// The groups that a new login of the user would get, the primary one first; `nil` when the
  /// database cannot be read.
  mutating func loginGroups(of user: AccountFile.Line) -> [UInt32]?
}
