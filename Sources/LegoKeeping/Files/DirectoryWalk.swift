internal import Glibc
internal import JSONText

/// Opens the directory of the state, and makes what is missing of it.
enum DirectoryWalk {
  /// Opens a directory that belongs to this user.
  ///
  /// The last directory is made with mode 0700. One that is there is left as it is; it must not be a
  /// symbolic link, and nobody else may write to it. For the superuser each directory on the way has to
  /// belong to the superuser: whoever owns one could lead the walk elsewhere. A program with other
  /// rights than those of who started it accepts the user's own, too, and follows no link in them.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - file: The path of the kept file, for errors.
  /// - Throws: `.noDirectory` or `.unsafeDirectory`.
  /// - Returns: The directory.
  static func open(_ path: String, for file: String) throws(KeepingError) -> Descriptor {
    let user = geteuid()
    var names = path.split(separator: "/").map(String.init)[...]
    guard let last = names.popLast() else {
      throw KeepingError(.noDirectory, file, "the root directory is not one for state")
    }
    var walked = ""
    do {
      var directory = try Descriptor.open("/", in: AT_FDCWD, lookOnly)
      // Whether somebody may put a link there to lead the walk astray.
      var isShared = false
      for name in names {
        walked += "/" + name
        // A link is somebody's choice of a place, but not where anybody may put one.
        directory = try enter(name, of: directory, lookOnly, followsLinks: !isShared)
        let status = try directory.status()
        let isOwn = status.st_uid == 0 || status.st_uid == user
        if user == 0 || Surroundings.isRaised, !isOwn {
          throw KeepingError(.unsafeDirectory, file, owner(of: walked, status))
        }
        isShared =
          status.st_mode & 0o002 != 0 || (Surroundings.isRaised && status.st_uid != 0)
      }
      walked += "/" + last
      directory = try enter(last, of: directory, O_RDONLY | O_DIRECTORY, followsLinks: false)
      let status = try directory.status()
      if status.st_uid != user {
        throw KeepingError(.unsafeDirectory, file, owner(of: walked, status))
      }
      if status.st_mode & 0o022 != 0 {
        // It may serve others as well, as /tmp does.
        throw KeepingError(
          .unsafeDirectory, file,
          "\(JSONQuotes.escaped(walked, limit: 4_096)) may be written to by others; "
            + "take that away (chmod go-w), or choose another directory")
      }
      return directory
    } catch let error as KeepingError {
      throw error
    } catch {
      throw KeepingError(
        .noDirectory, file, "\(JSONQuotes.escaped(walked, limit: 4_096)): \(error)",
        errno: (error as? SystemFailure)?.errno)
    }
  }

  private static let lookOnly = __O_PATH | O_DIRECTORY

  private static func owner(of path: String, _ status: stat) -> String {
    "\(JSONQuotes.escaped(path, limit: 4_096)) belongs to user \(status.st_uid)"
  }

  /// Opens a directory in another one, and makes it if it is missing.
  private static func enter(
    _ name: String, of directory: borrowing Descriptor, _ flags: Int32, followsLinks: Bool
  ) throws(SystemFailure) -> Descriptor {
    let parent = directory.number
    do {
      return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
    } catch {
      if error.errno != ENOENT { throw error }
    }
    // Somebody else may make it at the same time.
    if unsafe mkdirat(parent, name, 0o700) != 0, errno != EEXIST { throw .current("mkdir") }
    return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
  }
}
