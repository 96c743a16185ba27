internal import AccessModel
internal import CLinux

/// Tells when the udev daemon starts or stops.
///
/// Its control socket comes and goes with it, and when it starts it takes over the list of watched
/// devices that the one before left behind.
enum DaemonWatch {
  private static let names: Set<String> = ["control", "watch", "watch.old"]

  /// The source that calls `body` each time; it never fires where there is no such directory.
  ///
  /// The directory of the daemon is `/run/udev`.
  ///
  /// - Throws: `ENOENT` where the daemon has never run, `EMFILE`.
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
