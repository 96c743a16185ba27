public import AccessModel
internal import CLinux
internal import Glibc

/// A file that the user selected, with the access that this process has to it.
public struct SelectedFile: Hashable, Sendable {
  /// The absolute path, as the desktop reported it; untrusted text.
  public var path: String
  /// The access that the kernel grants: reading, writing, both or neither.
  public var permissions: Permissions
  /// The reason that the file is not readable, as one clause; `nil` if it is readable.
  public var reason: String?

  /// Creates a file.
  public init(path: String, permissions: Permissions, reason: String? = nil) {
    self.path = path
    self.permissions = permissions
    self.reason = reason
  }

  /// The last component of the path; untrusted text.
  public var name: String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// A Boolean value that indicates whether the file is readable.
  public var isReadable: Bool { permissions.contains(.read) }
  /// A Boolean value that indicates whether the file is writable.
  public var isWritable: Bool { permissions.contains(.write) }
}

extension SelectedFile {
  /// Checks the permissions for a file without opening it.
  ///
  /// The file is pinned with `O_PATH | O_NOFOLLOW`, and the kernel checks access to the pinned
  /// file. For anything but a regular file, such as a symbolic link, the result has no permissions.
  /// The call blocks on the filesystem.
  init(lookingAt path: String) {
    self.init(path: path, permissions: [])
    do throws(Errno) {
      let file = try Self.held(path)
      let answer = FileAccessCheck.ask(held: file.number, .read)
      if answer == .success { permissions.insert(.read) }
      if FileAccessCheck.ask(held: file.number, .write) == .success { permissions.insert(.write) }
      if !isReadable { reason = answer?.clause ?? "the kernel cannot be asked" }
    } catch {
      reason = Self.kind(error) ?? error.clause
    }
  }

  /// Opens a regular file.
  ///
  /// The file is pinned first and then opened through the pin, so a device or symbolic link that
  /// replaces it in the meantime is not opened. This requires `/proc`.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file.
  ///   - wanted: The access to open the file for: reading, writing or both.
  /// - Throws: `wrongObject` if the path does not lead to a regular file, or the error of the
  ///   system call.
  /// - Returns: The descriptor of the file, which is closed on execve(2).
  static func open(
    _ path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    do throws(Errno) {
      let file = try Self.held(path)
      return DeviceDescriptor(
        adopting: try Errno.check(negated: clinux_open_held(file.number, wanted.accessMode)))
    } catch {
      if let kind = kind(error) { throw AlbumError(.wrongObject, at: path, kind) }
      throw AlbumError(at: path, unableTo: "open the file", error)
    }
  }

  /// Pins a regular file with `O_PATH`.
  ///
  /// - Throws: `ELOOP` for a symbolic link, `EISDIR` for a directory, `EINVAL` for other objects.
  private static func held(_ path: String) throws(Errno) -> OwnedDescriptor {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .invalidArgument
    }
    let file = try OwnedDescriptor(
      negated: unsafe clinux_pin(AT_FDCWD, ByteText(path).cString, false))
    var status = stat()
    try Errno.check(unsafe fstat(file.number, &status))
    switch status.st_mode & S_IFMT {
    case S_IFREG: return file
    case S_IFLNK: throw .tooManyLinks
    case S_IFDIR: throw .isDirectory
    default: throw .invalidArgument
    }
  }

  /// Describes the object that is not a regular file; `nil` for any other error of ``held(_:)``.
  private static func kind(_ error: Errno) -> String? {
    switch error {
    case .tooManyLinks: "it is a symbolic link"
    case .isDirectory: "it is a directory"
    case .invalidArgument: "it is not a file"
    default: nil
    }
  }
}
