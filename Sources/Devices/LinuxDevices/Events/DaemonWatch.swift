internal import AccessModel
internal import CLinux

/// Detects when the udev daemon starts or stops.
///
/// The daemon creates its control socket when it starts, and removes the socket when it stops. At
/// its start, it also takes over the list of watched devices that the previous daemon left.
enum DaemonWatch {
  private static let names: Set<String> = ["control", "watch", "watch.old"]

  /// Returns an event source that calls `body` each time the daemon starts or stops.
  ///
  /// - Parameters:
  ///   - directory: The directory of the daemon, which is `/run/udev`.
  ///   - body: The closure to call on the event loop's thread.
  /// - Throws: `ENOENT` if the directory does not exist because the daemon has never run, `EMFILE`
  ///   if the process has too many descriptors, or another error of inotify(7).
  /// - Returns: The source.
  static func source(
    in directory: String, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let descriptor = try FileNotifier.open()
    let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)
    _ = try FileNotifier(descriptor: descriptor.number).add(directory, mask)
    return DescriptorSource(descriptor, interest: CLINUX_READABLE) { descriptor, _ in
      var isAbout = false
      FileNotifier(descriptor: descriptor).drain(.part, where: { _, _ in true }) { notice in
        isAbout = isAbout || notice.watch < 0 || names.contains(notice.name)
      }
      if isAbout { body() }
      return true
    }
  }
}
