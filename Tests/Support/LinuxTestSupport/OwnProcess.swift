import Foundation

/// Inspects the descriptors and threads of this process.
package enum OwnProcess {
  /// The number of open descriptors.
  package static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  /// Returns whether fewer than eight more descriptors are open than before.
  ///
  /// The concurrency library opens a few descriptors when it first needs them. A test that leaks
  /// one descriptor in each of many rounds exceeds this number.
  package static func leftNothing(openSince before: Int) -> Bool { descriptorCount < before + 8 }

  /// The number of threads that wait for device events.
  package static var eventThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
        == "device-events\n"
    }
  }

  /// Waits until no thread waits for device events; at its end, the thread closes its descriptors.
  ///
  /// - Parameter isRunning: Returns `true` while a thread is about to start and is not listed yet.
  /// - Throws: `CancellationError`.
  package static func waitForEventThread(while isRunning: () -> Bool) async throws {
    // The first task that sleeps opens descriptors that stay open.
    try await Task.sleep(for: .milliseconds(1))
    // The thread takes seconds to end. Poll rarely, because listing all threads slows other tests
    // down.
    for _ in 0..<6_000 where isRunning() || eventThreadCount > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
