/// One way to mend a refusal.
public struct Remedy: Hashable, Sendable, Codable {
  /// Who can carry it out.
  public enum Actor: String, Hashable, Sendable, Codable {
    /// The user, without privilege.
    case user
    /// Whoever administers the machine.
    case administrator
    /// Whoever starts or packages the program.
    case packager
    /// The program itself, by asking.
    case program
  }

  /// What it does, as one imperative sentence without a full stop.
  public var title: String
  /// The exact commands or lines of configuration, one each; empty when there is none to type.
  public var commands: [String]
  public var actor: Actor
  /// What it grants beyond the need, as one clause; `nil` when nothing.
  public var excess: String?
  /// What must be restarted, replugged or logged in again for it to take effect, as one clause;
  /// `nil` when it works at once.
  public var takesEffect: String?

  public init(
    _ title: String, commands: [String], actor: Actor, excess: String? = nil,
    takesEffect: String? = nil
  ) {
    self.title = title
    self.commands = commands
    self.actor = actor
    self.excess = excess
    self.takesEffect = takesEffect
  }
}
