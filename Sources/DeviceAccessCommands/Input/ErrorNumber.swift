internal import Glibc

/// An error number of a system call, in words.
struct ErrorNumber: Hashable, Sendable {
  var rawValue: Int32

  init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The C library's text in lower case, such as `permission denied`, or the number.
  var text: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(rawValue, &buffer, buffer.count) == 0 else {
      return "error \(rawValue)"
    }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The C constant of those that permission checks and drivers answer, or the number.
  var name: String {
    switch rawValue {
    case EPERM: "EPERM"
    case ENOENT: "ENOENT"
    case EIO: "EIO"
    case ENXIO: "ENXIO"
    case EACCES: "EACCES"
    case EBUSY: "EBUSY"
    case ENODEV: "ENODEV"
    case ENOTDIR: "ENOTDIR"
    case EISDIR: "EISDIR"
    case EINVAL: "EINVAL"
    case EROFS: "EROFS"
    case ENAMETOOLONG: "ENAMETOOLONG"
    case ENOSPC: "ENOSPC"
    case ENOTTY: "ENOTTY"
    case ETIMEDOUT: "ETIMEDOUT"
    case EAGAIN: "EAGAIN"
    case EPIPE: "EPIPE"
    case EPROTO: "EPROTO"
    case ENOSYS: "ENOSYS"
    case ELOOP: "ELOOP"
    default: "error \(rawValue)"
    }
  }
}
