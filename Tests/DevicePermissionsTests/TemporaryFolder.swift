import Foundation
import LinuxDevices

@testable import DevicePermissions

/// A directory that is gone when the last test value is.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = "/dev/shm/devaccess-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  /// A service for somebody whose home directory this is, with its records in it.
  var grants: GrantService {
    let home = path
    return GrantService(
      machine: LinuxMachine(environment: { $0 == "HOME" ? home : nil }), record: "\(home)/record")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func file(_ name: String, mode: Int) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try Data().write(to: URL(fileURLWithPath: file))
    try setMode(mode, of: file)
    return file
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
