import Foundation
import LinuxTestSupport

/// A directory for the files of a test, gone with the value.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = "/dev/shm/\(TestName.unique)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Waits until something holds, for minutes at most.
func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<12_000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return await condition()
}
