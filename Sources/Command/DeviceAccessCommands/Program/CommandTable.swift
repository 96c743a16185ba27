extension CommandName {
  /// The type that implements the command.
  var command: any Command.Type {
    switch self {
    case .status: StatusCommand.self
    case .list: ListCommand.self
    case .check: CheckCommand.self
    case .explain: ExplainCommand.self
    case .rules: RulesCommand.self
    case .users: UsersCommand.self
    case .watch: WatchCommand.self
    case .top: TopCommand.self
    case .request: RequestCommand.self
    case .grant: GrantCommand.self
    case .revoke: RevokeCommand.self
    case .grants: GrantsCommand.self
    case .snapshot: SnapshotCommand.self
    case .decide: DecideCommand.self
    case .completion: CompletionCommand.self
    case .help: HelpCommand.self
    }
  }

  /// The declarations of all commands, in the order of the help.
  static var declarations: [CommandDeclaration] {
    // With a key path into the metatype, the compiler crashes.
    allCases.map { name in name.command.declaration }
  }
}
