internal import AccessModel
internal import CLinux
internal import Glibc

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
