internal import LegoKit
internal import Synchronization

/// Collects the problems that are reported while an operation runs.
package final class Reports: Sendable {
  private let storage = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { storage.withLock { $0 } }

  /// Runs an operation and collects its problems.
  package func during<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
    try await withContractors {
      $0.problemSink = LogSink { line in self.storage.withLock { $0.append(line) } }
    } operation: {
      try await operation()
    }
  }
}
