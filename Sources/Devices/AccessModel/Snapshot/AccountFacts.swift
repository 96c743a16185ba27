/// The user and group database entries of the subject's user, and the names in this question.
///
/// A process keeps the groups that it started with. A comparison with the database shows whether a
/// user is not in a group, or has not logged in since joining it.
public struct AccountFacts: Hashable, Sendable, Codable {
  /// The name of the subject's real user; `nil` if the database has none.
  public var user: String?
  /// The home directory from the database.
  public var home: String?
  /// The groups that a new login would get, as `getgrouplist` returns; `nil` if the databases could
  /// not be read.
  public var loginGroups: [UInt32]?
  /// The groups that pam_group(8) may add at a login, because of a rule in group.conf(5) for the
  /// user.
  public var moduleGroups: [UInt32] = []
  /// The names of the users in the facts, keyed by ID.
  public var userNames: [UInt32: String] = [:]
  /// The names of the groups in the facts, keyed by ID.
  public var groupNames: [UInt32: String] = [:]

  /// Creates account facts without names of IDs.
  public init(user: String? = nil, home: String? = nil, loginGroups: [UInt32]? = nil) {
    self.user = user
    self.home = home
    self.loginGroups = loginGroups
  }
}
