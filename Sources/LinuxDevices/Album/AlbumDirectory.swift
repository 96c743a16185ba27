internal import AccessModel
internal import CLinux
internal import Glibc

/// Opens pictures directories, and makes missing ones.
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

  /// Makes a directory in a home directory, with mode 0700, and opens it.
  ///
  /// The home directory has to belong to the caller; below it no symbolic link is followed, every
  /// directory on the way belongs to the caller, too, and all of them but the last one exist. Each is
  /// reached from the descriptor of the one above, so that nothing that is moved meanwhile leads
  /// elsewhere. One that exists by now is opened.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the directory.
  ///   - home: The absolute path of the home directory; symbolic links on the way to it are followed.
  /// - Throws: `foreignPlace`, `wrongObject`, `absent` where the directory above is missing, and what
  ///   the kernel refuses.
  /// - Returns: The directory.
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

  /// Refuses a directory of somebody else.
  private static func requireOwn(_ directory: Int32, _ path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe fstat(directory, &status))
    guard status.st_uid == geteuid() else { throw .notPermitted }
  }

  /// Opens a directory for reading, which is what keeping it on the disk takes, or only to be named
  /// where it may not be read.
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
