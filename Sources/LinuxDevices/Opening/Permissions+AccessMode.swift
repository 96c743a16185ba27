internal import AccessModel
internal import Glibc

extension Permissions {
  /// The access mode of open(2) that asks for reading and writing as these do.
  var accessMode: Int32 {
    switch (contains(.read), contains(.write)) {
    case (true, true): O_RDWR
    case (false, true): O_WRONLY
    default: O_RDONLY
    }
  }
}
