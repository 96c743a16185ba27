internal import AccessModel
internal import Glibc

/// A file descriptor that is closed when its owner is destroyed.
struct OwnedDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of the descriptor that a shim returned, or throws its `-errno`.
  init(negated result: Int32) throws(Errno) {
    number = try Errno.check(negated: result)
  }

  /// Takes ownership of the descriptor that a system call returned, or throws the current error.
  init(_ result: Int32) throws(Errno) {
    number = try Errno.check(result)
  }

  deinit { close(number) }
}

/// Checks that an observation will not run out of file descriptors.
///
/// libudev, libsystemd and the name service treat a file that they cannot open like a missing one.
/// Without enough descriptors, a device, a tag or a group would be missing, and the answer would be
/// wrong.
enum DescriptorReserve {
  /// The maximum number of descriptors that an observation has open at the same time.
  ///
  /// These are for the directory of a process, a directory in it, a file, and the sockets of a bus
  /// and a name service.
  private static let count = 5

  /// The maximum number of further descriptors that are open while a watch waits for changes.
  ///
  /// These are for the event loop, timers, signals, the output, and the sources of file, device,
  /// mount and session events.
  static let waiting = 16

  /// Checks that enough descriptors are available, by opening and closing as many.
  ///
  /// - Parameter more: The number of descriptors needed in addition to those of an observation.
  /// - Throws: `EMFILE` or `ENFILE` if there are too few descriptors, or another error that
  ///   indicates a lack of resources.
  static func check(besides more: Int = 0) throws(Errno) {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<(count + more) {
      let descriptor = unsafe open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else {
        // Permission to open the root directory is not what this checks.
        guard Errno.current.isOfResources else { return }
        throw .current
      }
      descriptors.append(descriptor)
    }
  }
}
