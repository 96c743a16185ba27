import Foundation

/// What this process has open and runs.
package enum OwnProcess {
  /// How many descriptors it has open.
  package static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  /// Whether so few more are open than before that nothing of many rounds was left open: the
  /// concurrency library opens timers and event descriptors of its own when it first needs them.
  package static func leftNothing(openSince before: Int) -> Bool { descriptorCount < before + 8 }

  /// How many threads wait for events of devices.
  package static var eventThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
        == "device-events\n"
    }
  }

  /// Waits until no thread waits for events any more, which closes what it held as it ends.
  ///
  /// - Parameter isRunning: Whether one is about to begin, which no list of threads shows yet.
  /// - Throws: `CancellationError`.
  package static func waitForEventThread(while isRunning: () -> Bool) async throws {
    // The first task that sleeps makes descriptors that the process keeps.
    try await Task.sleep(for: .milliseconds(1))
    // It takes seconds to end, and a look at every thread takes time from the other tests.
    for _ in 0..<6_000 where isRunning() || eventThreadCount > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
