import AccessModel
import LinuxDevices
import LinuxTestSupport

@testable import DevicePermissions

/// A directory that several test values share, and that is removed together with the last one.
final class TemporaryFolder: Sendable {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  var path: String { directory.path }

  /// A service for a user with this home directory, which also contains the records.
  var grants: GrantService {
    let home = path
    return GrantService(
      machine: LinuxMachine(environment: { $0 == "HOME" ? home : nil }), record: "\(home)/record")
  }

  /// Returns the access control list of an object, as the kernel reports it.
  static func list(_ path: String) throws -> AccessList {
    try PinnedNode(path: path).list(calledBy: path)
  }

  @discardableResult
  func file(_ name: String, mode: UInt16) throws -> String { try directory.file(name, mode: mode) }

  /// Adds a picture to the album that other users cannot read.
  func picture() throws -> String { try file("Pictures/picture.jpg", mode: 0o640) }

  func setMode(_ mode: UInt16, of path: String) throws {
    try directory.setMode(Int(mode), of: path)
  }
}
