import Synchronization

/// Lines that several threads add to.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  var add: @Sendable (String) -> Void { { line in self.lines.withLock { $0.append(line) } } }
}
