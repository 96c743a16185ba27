public import AccessModel

/// Commands that are run in a tree between two rounds of questions, and the second round.
public struct Intervention: Sendable {
  /// A line for bash(1), and who types it.
  public struct Command: Sendable {
    public var text: String
    public var user: UInt32 = 0
    public var group: UInt32 = 0
    public var groups: [UInt32] = []

    public init(_ text: String) {
      self.text = text
    }
  }

  /// What came of it.
  public struct Outcome: Sendable {
    /// The answers to the batch before the commands.
    public var before: [Errno]
    /// The exit status of each command.
    public var statuses: [Int32]
    /// The answers to the second round.
    public var after: [Errno]
    /// What the commands printed.
    public var output: String
  }

  public var accounts: Accounts
  public var commands: [Command]
  /// Who asks for what after the commands.
  public var trials: [CaseBatch.Trial]

  public init(accounts: Accounts, commands: [Command], trials: [CaseBatch.Trial]) {
    self.accounts = accounts
    self.commands = commands
    self.trials = trials
  }
}
