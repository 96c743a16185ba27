/// The result of an actual attempt to use an object, made only on explicit request.
///
/// Only an attempt shows the effects that occur when a device is opened, such as those of AppArmor,
/// Landlock, a seccomp filter, a missing driver, or another program that streams. The result
/// applies only to the system call that was made: a filter can refuse openat2(2) and allow
/// openat(2), or the reverse.
public struct Attempt: Hashable, Sendable {
  /// The last step of the attempt.
  public enum Operation: String, Hashable, Sendable, Codable {
    /// Opening the object.
    case open
    /// Starting the stream of an opened device (`VIDIOC_STREAMON` or its equivalent).
    case stream
  }

  /// The path that was opened.
  public var path: String
  /// The last step of the attempt.
  public var operation: Operation
  /// The system call, such as `openat`; `nil` if not recorded.
  public var systemCall: String?
  /// The flags of the call that determine the required permissions; `nil` if not recorded.
  public var flags: Set<OpenFlag>?
  /// The error number, or 0 if the attempt succeeded.
  public var errno: Errno

  /// Creates an attempt; an error number of 0 means success.
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

  /// The path of a device that every program may open.
  ///
  /// A seccomp filter cannot see which object a path leads to. An attempt on this device with the
  /// same call and flags therefore shows whether a filter or a rule about the device refused.
  public static let controlPath = "/dev/null"

  /// The permissions that the device was opened with; `nil` if not recorded.
  public var permissions: Permissions? {
    flags.map { Request.open(path: path, flags: $0).permissions }
  }

  /// A Boolean value that indicates whether a permission layer, not the driver, refused the
  /// attempt.
  public var isRefusal: Bool {
    errno == .permissionDenied || errno == .notPermitted
  }

  /// A Boolean value that indicates whether the object was opened, even if the stream then failed.
  var hasOpened: Bool { errno == 0 || operation == .stream && !isRefusal }

  /// A Boolean value that indicates whether the attempt failed because the node has no device.
  var foundNoDevice: Bool {
    errno == .noSuchAddress || errno == .noSuchDevice
  }

  /// The system call that was tried, such as `open(2)`.
  var call: String { "\(systemCall ?? "open")(2)" }
}

extension AccessFacts {
  /// Returns the last attempt that is evidence for a request.
  ///
  /// An attempt with exactly the requested permissions, or with unrecorded ones, is preferred. With
  /// fewer permissions, only a failure is evidence. With more permissions, only a success is. Any
  /// attempt can show that the node has no device.
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

extension Attempt: Codable {
  private static let fields: Fields<Self> = [
    .required("path", \.path),
    .required("operation", \.operation),
    .optional("system_call", \.systemCall),
    .optional("flags", \.sortedFlags, limit: OpenFlag.allCases.count),
    .required("errno", \.errno),
  ]

  /// The flags in the order in which they are written, which is the same in every process.
  private var sortedFlags: [OpenFlag]? {
    get { flags?.sorted { $0.rawValue < $1.rawValue } }
    set { flags = newValue.map { Set($0) } }
  }

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(path: "", errno: 0), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

/// The kernel's own answer to one request, from the raw `faccessat2` system call with `AT_EACCESS`.
///
/// The answer covers layers that no model can evaluate, such as a device program or SELinux. It
/// does not cover `nodev`, Landlock and AppArmor.
public struct KernelCheck: Hashable, Sendable, Codable {
  /// The path that the kernel was asked about.
  public var path: String
  /// The requested permission bits: 4 is read, 2 is write, 1 is execute or search.
  public var mode: UInt8
  /// The error number, or 0 if the kernel grants the access.
  public var errno: Errno

  /// Creates an answer; an error number of 0 means that the access is granted.
  public init(path: String, mode: Permissions, errno: Errno) {
    self.path = path
    self.mode = mode.rawValue
    self.errno = errno
  }

  /// The requested permissions.
  public var permissions: Permissions { Permissions(rawValue: mode) }
}
