internal import AccessModel
internal import Glibc

/// Determines whether a process's program belongs to the system and its name can be trusted.
///
/// In a private mount namespace, a user can mount any system program under any name. Therefore the
/// path must also lead to the same file in this process's namespace, in a directory that only root
/// can change.
struct ProgramOrigin {
  /// The path of the program in the process's own root directory.
  let path: String

  /// The directories that contain system programs.
  ///
  /// In other directories, users may have mounted a filesystem that does not respond, and
  /// inspecting the path would block.
  private static let places = [
    "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/snap/", "/nix/store/", "/gnu/store/",
  ]

  /// Returns whether the program belongs to root and cannot be changed or replaced by other users.
  ///
  /// - Parameters:
  ///   - name: The name of the link to the program.
  ///   - directory: A descriptor of the folder that contains the link.
  /// - Returns: A Boolean value, or `nil` if the link of a recorded process leads nowhere.
  func isSystem(of name: String, in directory: Int32) -> Bool? {
    let file: OpenFile
    do throws(Errno) {
      file = try OpenFile(following: name, in: directory)
    } catch {
      // If the file cannot be inspected, it is not trusted.
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
      // In a user namespace, root may be an ordinary user, and the system's root is then an
      // unmapped ID.
      var translator = IDTranslator(namespace: mapping)
      let owner = translator.user(file.owner)
      return (owner == 0 || translator.metOverflow)
        && file.permissions & (S_IWGRP | S_IWOTH) == 0
    }
    // An update has replaced the file, so the kernel adds a suffix to the path of the deleted file.
    let isReplaced = file.links == 0 && path.hasSuffix(HoldingProcess.deleted)
    let path = isReplaced ? String(path.dropLast(HoldingProcess.deleted.count)) : path
    if isReplaced {
      // In another mount namespace, the deleted file could have been any file that was mounted at
      // the path.
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
