extension CommandName {
  /// The command of each name: the one place that knows all of them.
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

  /// What every command declares, in the order of the help.
  static var declarations: [CommandDeclaration] {
    // A key path to the declaration of a metatype ends the compiler.
    allCases.map { name in name.command.declaration }
  }
}
