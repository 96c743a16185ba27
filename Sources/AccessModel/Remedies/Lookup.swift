/// Commands that show more about a cause and change nothing.
public struct Lookup: Hashable, Sendable {
  /// What it finds out, as one imperative sentence without a full stop.
  public var title: String
  /// The exact commands, one each.
  public var commands: [String]
  /// Whether it needs an administrator.
  public var isPrivileged: Bool

  /// Creates a lookup that needs no privilege unless said otherwise.
  public init(_ title: String, commands: [String], isPrivileged: Bool = false) {
    self.title = title
    self.commands = commands
    self.isPrivileged = isPrivileged
  }
}
