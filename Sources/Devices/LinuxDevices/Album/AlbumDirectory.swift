internal import AccessModel
internal import CLinux
internal import Glibc

/// Opens pictures directories, and creates missing ones.
enum AlbumDirectory {
  /// Opens a directory, following symbolic links.
  static func open(_ path: String) throws(AlbumError) -> DeviceDescriptor {
    guard !path.isEmpty, !path.utf8.contains(0), ByteText(path).byteCount < AbsolutePath.longest
    else { throw AlbumError(.invalidName, at: path, "it cannot be a path") }
    do throws(Errno) {
      return try open(path, in: AT_FDCWD, following: true)
    } catch {
      throw AlbumError(at: path, unableTo: "open the directory", error)
    }
  }

  /// Creates a directory with mode 0700 in a home directory, and opens it.
  ///
  /// The home directory and all directories below it on the path must belong to the caller. Below
  /// the home directory, no symbolic link is followed, and all directories but the last must exist.
  /// Each is opened through the descriptor of its parent, so a concurrent move cannot redirect the
  /// path. If the directory already exists, it is opened.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the directory.
  ///   - home: The absolute path of the home directory, whose symbolic links are followed.
  /// - Throws: `foreignPlace` if the directory is not below the home directory, `wrongObject`,
  ///   `absent` if the parent directory is missing, or another error that the kernel returned.
  /// - Returns: The descriptor of the directory.
  static func make(_ path: String, below home: String) throws(AlbumError) -> DeviceDescriptor {
    let all = AbsolutePath.components(of: path)
    let names = all.dropFirst(AbsolutePath.components(of: home).count)
    guard all.starts(with: AbsolutePath.components(of: home)), let last = names.last,
      !all.contains(where: { $0 == ".." || $0 == "." }), !path.utf8.contains(0)
    else {
      throw AlbumError(
        .foreignPlace, at: path, "it is not in your home directory, so it is not created")
    }
    do throws(Errno) {
      var place = try OwnedDescriptor(
        unsafe Glibc.open(ByteText(home).cString, clinux_named_directory))
      try requireOwn(place.number, path)
      for name in names.dropLast() {
        let next = try OwnedDescriptor(
          unsafe openat(place.number, ByteText(name).cString, clinux_named_directory | O_NOFOLLOW))
        place = next
        try requireOwn(place.number, path)
      }
      if unsafe mkdirat(place.number, ByteText(last).cString, 0o700) != 0, errno != EEXIST {
        throw .current
      }
      let directory = try open(last, in: place.number, following: false)
      try requireOwn(directory.rawValue, path)
      return directory
    } catch {
      throw AlbumError(at: path, unableTo: "create the directory", error)
    }
  }

  /// Throws `EPERM` unless the caller owns the directory.
  private static func requireOwn(_ directory: Int32, _ path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe fstat(directory, &status))
    guard status.st_uid == geteuid() else { throw .notPermitted }
  }

  /// Opens a directory for reading, or with `O_PATH` if it is not readable.
  ///
  /// Only a readable descriptor can be used to flush the directory to disk.
  private static func open(
    _ name: String, in place: Int32, following: Bool
  ) throws(Errno) -> DeviceDescriptor {
    let link = following ? 0 : O_NOFOLLOW
    let name = ByteText(name).cString
    let readable = unsafe openat(place, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | link)
    if readable >= 0 { return DeviceDescriptor(adopting: readable) }
    guard Errno.current == .permissionDenied else { throw .current }
    return DeviceDescriptor(
      adopting: try Errno.check(unsafe openat(place, name, clinux_named_directory | link)))
  }
}
