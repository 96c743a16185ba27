import Foundation

/// What this process has open and runs.
enum OwnProcess {
  /// How many descriptors it has open.
  static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  /// How many threads wait for events of devices.
  static var eventThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
        == "device-events\n"
    }
  }
}
