import Foundation

/// A temporary directory, by default on a tmpfs, that is removed when the value is destroyed.
package struct TemporaryDirectory: ~Copyable {
  package let path: String

  package init(in parent: String = "/dev/shm") throws {
    path = "\(parent)/\(TestName.unique)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  package borrowing func file(_ name: String, _ text: String = "", mode: UInt16 = 0o644) throws
    -> String
  {
    try file(name, Array(text.utf8), mode: mode)
  }

  @discardableResult
  package borrowing func file(_ name: String, _ bytes: [UInt8], mode: UInt16 = 0o644) throws
    -> String
  {
    let file = "\(path)/\(name)"
    let directory = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }

  @discardableResult
  package borrowing func link(_ name: String, to target: String) throws -> String {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: target)
    return "\(path)/\(name)"
  }

  @discardableResult
  package borrowing func directory(_ name: String, mode: UInt16 = 0o755) throws -> String {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    return "\(path)/\(name)"
  }

  /// Sets the mode of any file or directory.
  package borrowing func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
