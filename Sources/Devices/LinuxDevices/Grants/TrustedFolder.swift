internal import AccessModel
internal import Glibc

/// Opens directories at paths that only root and the caller can change.
enum TrustedFolder {
  /// Opens a directory.
  ///
  /// Links in the path are followed if they are trusted (``TrustedLinks``). The last name must not
  /// be a link.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - mode: The permission bits for a missing directory, which is then created. Missing parent
  ///     directories are created with mode 0755. If `mode` is `nil`, nothing is created.
  /// - Throws: `ENOENT` if the directory is missing, `EINVAL` if the path contains `.` or `..`, or
  ///   another error from opening or creating a directory.
  /// - Returns: The directory.
  static func open(_ path: String, makingWith mode: mode_t? = nil) throws(Errno) -> OwnedDescriptor
  {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let names =
      AbsolutePath.components(
        of: TrustedLinks().followedAsFarAsThere(AbsolutePath.parent(of: path)))
      + [AbsolutePath.name(of: path)]
    guard path.utf8.first == UInt8(ascii: "/"), !names.isEmpty,
      !names.contains(where: { $0 == ".." || $0 == "." })
    else { throw .invalidArgument }
    var place = try OwnedDescriptor(unsafe Glibc.open("/", flags))
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      if let mode,
        unsafe mkdirat(place.number, ByteText(name).cString, isLast ? mode : 0o755) != 0,
        Errno.current != .exists
      {
        throw .current
      }
      let next = try OwnedDescriptor(unsafe openat(place.number, ByteText(name).cString, flags))
      place = next
    }
    return place
  }
}
