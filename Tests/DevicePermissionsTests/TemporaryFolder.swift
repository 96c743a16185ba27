import AccessModel
import LinuxDevices
import LinuxTestSupport

@testable import DevicePermissions

/// A directory that is gone when the last test value is: one that several values share.
final class TemporaryFolder: Sendable {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  var path: String { directory.path }

  /// A service for somebody whose home directory this is, with its records in it.
  var grants: GrantService {
    let home = path
    return GrantService(
      machine: LinuxMachine(environment: { $0 == "HOME" ? home : nil }), record: "\(home)/record")
  }

  /// The list of an object, as the kernel tells it.
  static func list(_ path: String) throws -> AccessList {
    try PinnedNode(path: path).list(calledBy: path)
  }

  @discardableResult
  func file(_ name: String, mode: UInt16) throws -> String { try directory.file(name, mode: mode) }

  /// Adds a picture to the album, which others cannot read.
  func picture() throws -> String { try file("Pictures/picture.jpg", mode: 0o640) }

  func setMode(_ mode: UInt16, of path: String) throws {
    try directory.setMode(Int(mode), of: path)
  }
}
