/// Commands that show more about a cause and change nothing.
public struct Lookup: Hashable, Sendable {
  /// The purpose of the commands, as an imperative sentence without a full stop.
  public var title: String
  /// The exact commands, one per element.
  public var commands: [String]
  /// A Boolean value that indicates whether the commands require an administrator.
  public var isPrivileged: Bool

  /// Creates a look-up, which by default requires no privileges.
  public init(_ title: String, commands: [String], isPrivileged: Bool = false) {
    self.title = title
    self.commands = commands
    self.isPrivileged = isPrivileged
  }
}
