internal import AccessModel
internal import CLinux
internal import Glibc

extension FileType {
  /// The type in `st_mode`; `nil` for one that does not exist on Linux.
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
