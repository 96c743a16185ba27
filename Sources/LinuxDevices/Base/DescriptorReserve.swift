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

  /// Opens as many files as an observation does, and closes them again.
  ///
  /// - Throws: `EMFILE` or `ENFILE` when there are too few descriptors.
  static func check() throws(Errno) {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<count {
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
