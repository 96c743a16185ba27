internal import AccessModel
internal import CLinux
internal import CVideo4Linux
internal import Glibc

/// Opens a device once, as programs do, and reports the result.
enum DeviceProber {
  /// Opens a device once with openat(2) and the flags that most programs use.
  ///
  /// The flags are the access mode and `O_NONBLOCK`. No capability is raised. The call blocks while
  /// the driver opens the device.
  static func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    guard let resolved = try? AbsolutePath.resolve(node) else { return DeviceProbe() }
    let result = DeviceOpener.tryToOpen(resolved, for: permissions)
    // These errors say nothing about a device: nothing exists at the path, this process has no more
    // descriptors or memory, or a signal interrupted the call.
    let ofItself = [-ENOENT, -ENOTDIR, -ELOOP, -EMFILE, -ENFILE, -ENOMEM, -EINTR]
    guard result != CLINUX_OTHER_OBJECT, !ofItself.contains(result) else { return DeviceProbe() }
    var probe = DeviceProbe(
      attempt: Attempt(
        path: path, systemCall: "openat", flags: permissions.openFlags,
        errno: result >= 0 ? .success : Errno(negated: result)))
    guard result >= 0 else { return probe }
    ask(DeviceDescriptor(adopting: result), &probe)
    return probe
  }

  /// Queries the driver of a video node for its capabilities; other devices are skipped.
  private static func ask(_ descriptor: borrowing DeviceDescriptor, _ probe: inout DeviceProbe) {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0,
      clinux_major(status.st_rdev) == DeviceClasses.videoMajor
    else { return }
    var answer = v4l2_capability()
    guard unsafe cvideo4linux_query(descriptor.rawValue, &answer) >= 0 else { return }
    probe.driverCapabilities = unsafe cvideo4linux_device_capabilities(&answer)
    var card = [CChar](repeating: 0, count: 33)
    unsafe cvideo4linux_card(&answer, &card)
    probe.name = unsafe String(copying: card, limit: 32)
    let isPrivate = cvideo4linux_privacy(descriptor.rawValue)
    if isPrivate >= 0 { probe.isPrivate = isPrivate != 0 }
  }
}
