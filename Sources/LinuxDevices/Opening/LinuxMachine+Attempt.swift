public import AccessModel
internal import Glibc

extension LinuxMachine {
  /// Opens a device once, as a program would, closes it again, and tells what came of it.
  ///
  /// It can wake a camera: only on an explicit request. No capability is raised, and the call
  /// does not wait for the device. It blocks for as long as the driver takes.
  ///
  /// - Parameters:
  ///   - node: The canonical path of the device node.
  ///   - path: The path that was asked about, which the result names.
  ///   - permissions: What to open it for.
  /// - Returns: `nil` when there is no device node at the path.
  public func attempt(
    toOpen node: String, askedAs path: String, for permissions: Permissions
  ) -> Attempt? {
    guard let resolved = try? AbsolutePath.resolve(node) else { return nil }
    let result = DeviceOpener.openWaiting(resolved, for: permissions, mayRaise: false)
    guard result != Int32.min, result != -ENOENT, result != -ELOOP else { return nil }
    if result >= 0 { close(result) }
    return Attempt(path: path, errno: result >= 0 ? 0 : 0 &- result)
  }
}
