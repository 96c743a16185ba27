import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `Where nodes of devices can be` {
  @Test func `is told by the mounts`() throws {
    let directory = try TemporaryDirectory()
    try directory.file(
      "mountinfo",
      """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      23 22 0:6 / /dev rw,nosuid - devtmpfs udev rw
      24 22 0:40 / /home/x/app ro,nosuid,nodev - fuse.squashfuse app ro
      25 22 0:41 / /srv rw,nodev - ext4 /dev/vdb rw
      26 22 0:41 / /mnt rw - ext4 /dev/vdb rw

      """)
    let folder = try OpenDirectory(directory.path)
    let places = try NodeMounts(of: folder.descriptor)
    func includes(_ major: UInt32, _ minor: UInt32) -> Bool {
      places.includes(filesystem: DeviceNumber(major: major, minor: minor))
    }
    #expect(includes(254, 0) && includes(0, 6))
    #expect(!includes(0, 40))
    // One mount without `nodev` is sufficient.
    #expect(includes(0, 41))
    // Shared memory is on a filesystem that is mounted nowhere.
    #expect(!includes(0, 1))
    func includes(_ details: String) -> Bool { places.includes(descriptor: Array(details.utf8)) }
    #expect(includes("pos:\t0\nflags:\t02\nmnt_id:\t23\nino:\t5\n"))
    #expect(!includes("pos:\t0\nflags:\t02\nmnt_id:\t24\n"))
    #expect(!includes("mnt_id:\t25\n") && includes("mnt_id:\t26\n"))
    #expect(includes("flags:\t02\n") && includes("mnt_id:\tx\n"))
  }
  @Test func `is not told by a table with a line that is not understood`() throws {
    let directory = try TemporaryDirectory()
    try directory.file(
      "mountinfo",
      """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      23 22 nonsense / /dev rw,nosuid - devtmpfs udev rw

      """)
    let folder = try OpenDirectory(directory.path)
    #expect(throws: Errno.invalidArgument) { try NodeMounts(of: folder.descriptor) }
  }
}
