public import AccessModel

/// Commands that are run in a tree, and the requests that follow them.
public struct Intervention: Sendable {
  /// A command line for bash(1), and the user who runs it.
  public struct Command: Sendable {
    public var text: String
    public var user: UInt32 = 0
    public var group: UInt32 = 0
    public var groups: [UInt32] = []

    public init(_ text: String) {
      self.text = text
    }
  }

  /// The results of an intervention.
  public struct Outcome: Sendable {
    /// The answers before the commands.
    public var before: [Errno]
    /// The exit status of each command.
    public var statuses: [Int32]
    /// The answers after the commands.
    public var after: [Errno]
    /// The output of the commands.
    public var output: String
  }

  public var accounts: Accounts
  public var commands: [Command]
  /// The subjects and their requests after the commands.
  public var trials: [CaseBatch.Trial]

  public init(accounts: Accounts, commands: [Command], trials: [CaseBatch.Trial]) {
    self.accounts = accounts
    self.commands = commands
    self.trials = trials
  }
}
