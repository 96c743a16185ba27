internal import AccessModel
internal import Glibc

extension Permissions {
  /// The access mode for open(2) that corresponds to the read and write permissions.
  var accessMode: Int32 {
    switch (contains(.read), contains(.write)) {
    case (true, true): O_RDWR
    case (false, true): O_WRONLY
    default: O_RDONLY
    }
  }
}
