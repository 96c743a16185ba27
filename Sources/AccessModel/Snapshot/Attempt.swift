/// The result of really using an object, on an explicit request.
///
/// It is the only evidence of what acts when a device is opened: AppArmor, Landlock, a seccomp
/// filter, a driver that is gone, another program that streams. It tells about the call that was
/// made and no other: a filter can refuse openat2(2) and let openat(2) pass, or the reverse.
public struct Attempt: Hashable, Sendable {
  /// How far the program went.
  public enum Operation: String, Hashable, Sendable, Codable {
    /// open(2).
    case open
    /// Starting the stream of an opened device (`VIDIOC_STREAMON` and its likes).
    case stream
  }

  /// The path that was opened.
  public var path: String
  /// How far the program went.
  public var operation: Operation
  /// The system call, such as `openat`; `nil` where it was not recorded.
  public var systemCall: String?
  /// The flags of the call that decide about permission; `nil` where they were not recorded.
  public var flags: Set<OpenFlag>?
  /// 0 when it worked, else the error number.
  public var errno: Errno

  /// Creates an attempt; an error number of 0 is a success.
  public init(
    path: String, operation: Operation = .open, systemCall: String? = nil,
    flags: Set<OpenFlag>? = nil, errno: Errno
  ) {
    self.path = path
    self.operation = operation
    self.systemCall = systemCall
    self.flags = flags
    self.errno = errno
  }

  /// The device that everybody may open.
  ///
  /// An attempt on it with the same call and flags tells a filter, which cannot see what a path
  /// leads to, from a rule about the device.
  public static let controlPath = "/dev/null"

  /// What the device was opened for; `nil` where it was not recorded.
  public var permissions: Permissions? {
    flags.map { Request.open(path: path, flags: $0).permissions }
  }

  /// Whether the layers of permission refused, and not the driver behind them.
  public var isRefusal: Bool {
    errno == .permissionDenied || errno == .notPermitted
  }

  /// Whether the object was opened, also where the stream then failed.
  var hasOpened: Bool { errno == 0 || operation == .stream && !isRefusal }

  /// Whether it says that no device is behind the node.
  var foundNoDevice: Bool {
    errno == .noSuchAddress || errno == .noSuchDevice
  }

  /// The call that was tried, such as `open(2)`.
  var call: String { "\(systemCall ?? "open")(2)" }
}

extension AccessFacts {
  /// The attempt that is evidence for a request, the last of those that say as much.
  ///
  /// Opening for less than was wanted says something only when it failed, and opening for more
  /// only when it worked; that no device is there is said by any.
  func attempt(for request: Request) -> Attempt? {
    let own = attempts.filter { $0.path == request.path }
    let wanted = request.permissions
    let exact = own.last { $0.permissions == nil || $0.permissions == wanted }
    return exact
      ?? own.last { attempt in
        guard let tried = attempt.permissions else { return false }
        if attempt.foundNoDevice { return true }
        return attempt.hasOpened ? tried.isSuperset(of: wanted) : wanted.isSuperset(of: tried)
      }
  }
}
