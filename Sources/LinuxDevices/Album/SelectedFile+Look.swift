internal import AccessModel
internal import CLinux
internal import Glibc

extension SelectedFile {
  /// Looks at a file without opening it.
  ///
  /// It is held by a descriptor that only names it (`O_PATH | O_NOFOLLOW`), and the kernel is asked about
  /// that. What is not a regular file, such as a symbolic link in the place of one, is not allowed
  /// anything. The call blocks on the filesystem.
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

  /// Opens a file.
  ///
  /// It is held first and opened by what is held, so nothing but a regular file is ever opened: a device
  /// or a symbolic link that took its place meanwhile is refused. It takes `/proc`.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `wrongObject` for what is not a regular file, and what the kernel refuses.
  /// - Returns: The open file, which closes on execve(2).
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

  /// Holds a regular file.
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

  /// What stands in the place of a regular file; `nil` for any other failure of ``held(_:)``.
  private static func kind(_ error: Errno) -> String? {
    switch error {
    case .tooManyLinks: "it is a symbolic link"
    case .isDirectory: "it is a directory"
    case .invalidArgument: "it is not a file"
    default: nil
    }
  }
}
