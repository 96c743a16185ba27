internal import AccessModel
internal import Glibc

/// Whether the program of a process is the system's, so that its name says what it is.
///
/// Any program of the system has any name where somebody mounts it in a namespace of their own. So the
/// path has to lead to the file from here, too, through a directory that is root's alone.
struct ProgramOrigin {
  /// The path of the program, as the process's own root directory shows it.
  let path: String

  /// Where programs of the system are.
  ///
  /// Elsewhere a user may mount what does not answer, such as a filesystem of their own, and a look at the
  /// path would wait for it.
  private static let places = [
    "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/snap/", "/nix/store/", "/gnu/store/",
  ]

  /// Whether it belongs to root, and nobody else may write it or put another in its place.
  ///
  /// - Parameters:
  ///   - name: The link to the program.
  ///   - directory: The folder that the link is in.
  /// - Returns: `nil` where the link of a recorded process leads nowhere.
  func isSystem(of name: String, in directory: Int32) -> Bool? {
    let file: OpenFile
    do throws(Errno) {
      file = try OpenFile(following: name, in: directory)
    } catch {
      // Whoever hides the file from this process has something to hide.
      return error == .noSuchFile ? nil : false
    }
    return (try? isSystem(file, in: directory)) ?? false
  }

  private func isSystem(_ file: OpenFile, in directory: Int32) throws(Errno) -> Bool {
    guard Self.places.contains(where: path.hasPrefix) else { return false }
    let map = try BoundedFile.read("/proc/thread-self/uid_map", limit: 4096)
    guard let users = IDMap(parsing: map.bytes) else { return false }
    let mapping = users.isIdentity ? nil : IDMapping(users: users, groups: users)
    func isRoots(_ file: OpenFile) -> Bool {
      // A user namespace may have its user as root, and has the system's own as nobody that it knows.
      var translator = IDTranslator(namespace: mapping)
      let owner = translator.user(file.owner)
      return (owner == 0 || translator.metOverflow)
        && file.permissions & (S_IWGRP | S_IWOTH) == 0
    }
    // An update has put another file in its place, which the kernel says of one without names alone.
    let isReplaced = file.links == 0 && path.hasSuffix(HoldingProcess.deleted)
    let path = isReplaced ? String(path.dropLast(HoldingProcess.deleted.count)) : path
    if isReplaced {
      // Nothing tells any more which file was at the path that somebody's own mounts gave it.
      let mounts = try OpenFile(following: "/proc/thread-self/ns/mnt", in: AT_FDCWD)
      guard try OpenFile(following: "ns/mnt", in: directory).identity == mounts.identity else {
        return false
      }
    }
    let own = try OpenFile(following: path, in: AT_FDCWD)
    guard isRoots(file), isReplaced ? isRoots(own) : own.identity == file.identity else {
      return false
    }
    return isRoots(try OpenFile(following: AbsolutePath.parent(of: path), in: AT_FDCWD))
  }
}
