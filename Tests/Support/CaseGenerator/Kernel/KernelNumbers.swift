internal import AccessModel
internal import Glibc

extension FileType {
  /// The bits of `st_mode` for the type.
  var formatBits: UInt32 {
    switch self {
    case .directory: S_IFDIR
    case .regular: S_IFREG
    case .characterDevice: S_IFCHR
    case .blockDevice: S_IFBLK
    case .fifo: S_IFIFO
    case .socket: S_IFSOCK
    case .symbolicLink: S_IFLNK
    }
  }
}

extension ACLEntry {
  /// The value of the tag in `linux/posix_acl.h`.
  var kernelTag: UInt32 {
    switch (tag, id == nil) {
    case (.user, true): 0x01
    case (.user, false): 0x02
    case (.group, true): 0x04
    case (.group, false): 0x08
    case (.mask, _): 0x10
    case (.other, _): 0x20
    }
  }
}

extension OpenFlag {
  /// The value of the C constant.
  var number: Int32 {
    switch self {
    case .readOnly: O_RDONLY
    case .writeOnly: O_WRONLY
    case .readWrite: O_RDWR
    case .accessMode3: O_ACCMODE
    case .path: 0o10000000
    case .truncate: O_TRUNC
    case .append: O_APPEND
    case .nonBlocking: O_NONBLOCK
    case .directory: O_DIRECTORY
    case .noFollow: O_NOFOLLOW
    case .noAccessTime: 0o1000000
    case .create: O_CREAT
    case .exclusive: O_EXCL
    }
  }
}
