import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// An input device is removed and its number is reused while a program still has it open.
@Suite struct `A file of an earlier device` {
  private func target(_ subsystem: String, _ identity: FileIdentity) -> UseTarget {
    let device = DeviceFacts(
      node: "/dev/input/event2", sysfsPath: "/sys/devices/virtual/input/input9/event2",
      subsystem: subsystem, kernelName: "event2")
    return UseTarget(
      node: "/dev/input/event2", device: device,
      number: NodeNumber(isBlock: false, number: DeviceNumber(major: 13, minor: 66)),
      identity: identity)
  }

  @Test func `is told by its node, which is gone and was in the same place`() throws {
    let directory = try TemporaryDirectory()
    try directory.file("before", "")
    let file = unsafe open("\(directory.path)/before", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let opened = { try OpenFile(following: "/proc/self/fd/\(file)", in: AT_FDCWD) }
    try directory.file("now", "")
    let now = try OpenFile(following: "\(directory.path)/now", in: AT_FDCWD).identity
    #expect(!target("input", now).isOfEarlierDevice(try opened()))
    unsafe unlink("\(directory.path)/before")
    let gone = try opened()
    #expect(target("input", now).isOfEarlierDevice(gone))
    // A camera driver does not release its number before the last file is closed.
    #expect(!target("video4linux", now).isOfEarlierDevice(gone))
    // A node on another filesystem, such as a container's, can be removed while its device remains.
    let elsewhere = FileIdentity(filesystem: DeviceNumber(major: 0, minor: 0), inode: now.inode)
    #expect(!target("input", elsewhere).isOfEarlierDevice(gone))
    #expect(!target("input", gone.identity).isOfEarlierDevice(gone))
  }
}
