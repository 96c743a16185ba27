/// Phrases for the programs that have a device open.
struct HolderWords: Sendable {
  private let holders: [DeviceHolder]

  /// Creates phrases for the given programs.
  ///
  /// - Parameter holders: The programs, with the most important one first.
  init(_ holders: [DeviceHolder]) {
    self.holders = holders
  }

  /// A phrase for all programs, such as `cheese (process 4711, user alice) and 2 more programs`.
  ///
  /// The value is `nil` if there are no programs.
  var text: String? {
    guard let first = names.first else { return nil }
    switch names.count {
    case 1: return first
    case 2: return "\(first) and 1 more program"
    default: return "\(first) and \(names.count - 1) more programs"
    }
  }

  /// One phrase per program.
  ///
  /// A media server is replaced with its streaming clients, if it has any.
  var names: [String] {
    holders.flatMap { holder in
      let server = Self.word(holder.process.name)
      let clients = (holder.clients ?? []).filter(\.isStreaming)
      guard clients.isEmpty else { return clients.map { Self.name(of: $0, through: server) } }
      return [Self.name(of: holder.process)]
    }
  }

  private static func name(of process: HoldingProcess) -> String {
    var parts = ["process \(process.id)"]
    if let user = process.userName.map(word) ?? process.user.map({ String($0) }) {
      parts.append("user \(user)")
    }
    let place = process.application ?? process.containerName ?? process.unit
    if let place { parts.append(word(place)) }
    return "\(word(process.name)) (\(parts.joined(separator: ", ")))"
  }

  private static func name(of client: MediaClient, through server: String) -> String {
    let parts = [client.processID.map { "process \($0)" }, client.application.map(word)]
      .compactMap(\.self)
    let server = "through \(server)"
    return "\(word(client.name)) (\((parts + [server]).joined(separator: ", ")))"
  }

  /// Returns the name of a program for use in a sentence.
  ///
  /// A program can choose its name, so the name is quoted if necessary to keep it distinct from the
  /// sentence.
  static func word(_ name: String) -> String {
    name.isEmpty ? "a program" : name.shellQuoted
  }
}
