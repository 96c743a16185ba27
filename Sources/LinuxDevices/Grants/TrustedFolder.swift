internal import AccessModel
internal import Glibc

/// Opens directories in whose names nobody but root and the caller has a hand.
enum TrustedFolder {
  /// Opens a directory; links on the way are followed where they are trusted (``TrustedLinks``), and the
  /// last name must not be one.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - mode: The permission bits of the directory where it is missing and is to be made, and those above
  ///     it with what anybody may look at; `nil` to make none.
  /// - Throws: `ENOENT` where it is missing, `EINVAL` for a path with dots.
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
