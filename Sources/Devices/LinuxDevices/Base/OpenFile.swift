internal import AccessModel
internal import CLinux
internal import Glibc

/// The identity and attributes of a file.
struct OpenFile: Hashable, Sendable {
  /// The filesystem and the inode.
  var identity: FileIdentity
  /// The type and number, if the file is a device node.
  var device: NodeNumber?
  /// The number of hard links; a directory has two more than it has subdirectories.
  var links: UInt32
  /// The ID of the owner.
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

  /// Inspects the file with a name, following links, without contacting a network filesystem.
  init(following name: String, in directory: Int32) throws(Errno) {
    var file = clinux_file()
    try Errno.check(negated: unsafe clinux_follow(directory, ByteText(name).cString, &file))
    self.init(file)
  }

  /// Inspects the file of a descriptor, given a folder of descriptors.
  init(followingDescriptor number: UInt32, in directory: Int32) throws(Errno) {
    var file = clinux_file()
    try Errno.check(negated: unsafe clinux_follow_number(directory, number, &file))
    self.init(file)
  }
}

/// The identity of a file, as in `/proc/PID/maps`.
struct FileIdentity: Hashable, Sendable {
  /// The device number of the filesystem.
  var filesystem: DeviceNumber
  var inode: UInt64
}

/// The type and number that identify the device of a node, regardless of the node's path.
struct NodeNumber: Hashable, Sendable {
  var isBlock: Bool
  var number: DeviceNumber
}

extension FileType {
  /// Creates the file type that is part of `st_mode`; `nil` for an unknown type.
  init?(mode: UInt32) {
    switch mode & S_IFMT {
    case S_IFDIR: self = .directory
    case S_IFREG: self = .regular
    case S_IFCHR: self = .characterDevice
    case S_IFBLK: self = .blockDevice
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    case S_IFLNK: self = .symbolicLink
    default: return nil
    }
  }
}
