internal import AccessModel
internal import Glibc

/// Makes sure that looking does not end for want of file descriptors.
///
/// libudev, libsystemd and the name service tell a file that they could not open from one that is
/// not there to nobody: a device, its tags or a group would be missing, and the answer be wrong.
enum DescriptorReserve {
  /// As many are open at one time at most: a process's folder, a directory in it, a file, and the
  /// sockets of a bus and of a name service.
  private static let count = 5

  /// As many are open besides while something is waited for: those of the event loop, of timers, signals and
  /// the output, and of what tells of files, devices, mounts and sessions.
  static let waiting = 16

  /// Opens as many files as an observation does, and closes them again.
  ///
  /// - Parameter more: How many are needed besides.
  /// - Throws: `EMFILE` or `ENFILE` when there are too few descriptors.
  static func check(besides more: Int = 0) throws(Errno) {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<(count + more) {
      let descriptor = unsafe open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else {
        // Whether the root directory may be read is not what is asked.
        guard Errno.current.isOfResources else { return }
        throw .current
      }
      descriptors.append(descriptor)
    }
  }
}
