internal import AccessModel
internal import CLinux
internal import Glibc

/// What an open file of a process is, seen through its link below `/proc`.
struct OpenFile: Hashable, Sendable {
  /// The filesystem and the inode.
  var identity: FileIdentity
  /// The type and number, where it is a device.
  var device: NodeNumber?
  /// How many names it has; a folder has two more than subfolders.
  var links: UInt32
  /// The owner, and the permission bits.
  var owner: UInt32
  var permissions: UInt32

  private init(_ file: clinux_file) {
    identity = FileIdentity(
      filesystem: DeviceNumber(major: file.dev_major, minor: file.dev_minor), inode: file.inode)
    links = file.links
    owner = file.owner
    permissions = file.mode & ~S_IFMT
    let type = file.mode & S_IFMT
    guard type == S_IFCHR || type == S_IFBLK else { return }
    device = NodeNumber(
      isBlock: type == S_IFBLK,
      number: DeviceNumber(major: file.rdev_major, minor: file.rdev_minor))
  }

  /// Follows the link of a name, asking no network filesystem.
  init(following name: String, in directory: Int32) throws(Errno) {
    var file = clinux_file()
    try Errno.check(negated: unsafe clinux_follow(directory, ByteText(name).cString, &file))
    self.init(file)
  }

  /// Follows the link of a descriptor in a folder of descriptors.
  init(followingDescriptor number: UInt32, in directory: Int32) throws(Errno) {
    var file = clinux_file()
    try Errno.check(negated: unsafe clinux_follow_number(directory, number, &file))
    self.init(file)
  }
}
