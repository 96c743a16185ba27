internal import AccessModel
internal import CLinux
internal import CVideo4Linux
internal import Glibc

/// Opens a device once, the way that programs do, and reports the result.
enum DeviceProber {
  /// Opens a device once by openat(2), with the flags of most programs that use devices.
  ///
  /// These are `O_RDWR` and `O_NONBLOCK`. No capability is raised. It blocks for as long as the
  /// driver takes.
  static func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    guard let resolved = try? AbsolutePath.resolve(node) else { return DeviceProbe() }
    let result = DeviceOpener.tryToOpen(resolved, for: permissions)
    // Where nothing is at the path, and where this process lacks descriptors or memory, nothing was
    // learned about a device.
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

  /// Asks the driver of a video node what it can do; any other device does not know the question.
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
