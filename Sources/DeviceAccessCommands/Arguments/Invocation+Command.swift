extension Invocation {
  /// The command that was named, or the one that runs without a name.
  var command: Command? {
    switch task {
    case .help, .version: nil
    case .status: .status
    case .list: .list
    case .check: .check
    case .explain: .explain
    case .snapshot: .snapshot
    case .decide: .decide
    case .completion: .completion
    }
  }
}
