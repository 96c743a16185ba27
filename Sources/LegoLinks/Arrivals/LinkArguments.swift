/// The links among the arguments of a program.
struct LinkArguments {
  /// The argument by which the bus starts a program, so that it waits for calls.
  static let service = "--gapplication-service"

  /// The links, in their order.
  let links: [String]
  /// How many more are longer than any link that is received.
  let tooLong: Int
  /// Whether the bus has started the program.
  let isService: Bool

  /// Finds the arguments that begin with one of some schemes; all others are the program's affair.
  init(_ arguments: some Sequence<String>, schemes: [LinkScheme]) {
    let options = Array(arguments)
    let all = options.filter { argument in schemes.contains { $0.begins(argument) } }
    links = all.filter { $0.utf8.count <= LinkLimits.longest }
    tooLong = all.count - links.count
    isService = options.contains(Self.service)
  }
}
