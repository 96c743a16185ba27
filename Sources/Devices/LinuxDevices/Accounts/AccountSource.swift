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
