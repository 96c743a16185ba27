public import AccessModel
internal import CCapability
internal import CLinux
internal import CVideo4Linux
internal import Glibc

/// Opens device nodes; if necessary and permitted, it raises one capability for the system call.
enum DeviceOpener {
  /// Opens a node without following a symbolic link and without waiting for the device.
  ///
  /// The call runs on its own thread, which starts with the caller's credentials, so the usual
  /// permission checks apply. The task is suspended until the thread is done.
  static func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    let result: Int32 = await withCheckedContinuation { continuation in
      do throws(Errno) {
        try DedicatedThread.run {
          continuation.resume(returning: openWaiting(path, for: permissions))
        }
      } catch {
        continuation.resume(returning: 0 &- error.rawValue)
      }
    }
    if result >= 0 { return DeviceDescriptor(adopting: result) }
    if result == Int32.min {
      throw DeviceError(.notADevice, operation: "open", path: path)
    }
    throw DeviceError(.refused, operation: "open", path: path, errno: Errno(negated: result))
  }

  /// Opens a node on the calling thread, or on a second thread that raises a capability.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT` if the path is not a device.
  static func openWaiting(
    _ path: String, for permissions: Permissions, mayRaise: Bool = true
  ) -> Int32 {
    unsafe open(path, for: permissions, linkResult: -ELOOP) { request in
      let plain = unsafe clinux_open_plain(&request)
      // EPERM comes from a device policy or an inode flag, which no capability overrides.
      guard mayRaise, plain == -EACCES, let capability = capabilityToRaise(for: permissions) else {
        return plain
      }
      unsafe request.capability = Int32(capability.rawValue)
      return unsafe clinux_open_raised(&request)
    }
  }

  /// Opens a node on the calling thread, with its credentials and the usual system call.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT` if the path is not a device.
  static func tryToOpen(_ path: String, for permissions: Permissions) -> Int32 {
    guard !permissions.isDisjoint(with: [.read, .write]) else { return CLINUX_OTHER_OBJECT }
    return unsafe open(path, for: permissions, linkResult: CLINUX_OTHER_OBJECT) { request in
      unsafe clinux_open_as_programs_do(&request)
    }
  }

  /// Inspects the object at a path, and opens it only if it is a device.
  ///
  /// Opening anything else could have side effects. The opened device must have the inspected
  /// device number; otherwise the result is `CLINUX_OTHER_OBJECT`.
  private static func open(
    _ path: String, for permissions: Permissions, linkResult: Int32,
    by call: (inout clinux_open) -> Int32
  ) -> Int32 {
    var status = clinux_status()
    let name = ByteText(path).cString
    let isKnown = unsafe clinux_status(name, &status) == 0
    let type = isKnown ? FileType(mode: status.mode) : nil
    if let type, !type.isDevice {
      return type == .symbolicLink ? linkResult : CLINUX_OTHER_OBJECT
    }
    return unsafe name.withUnsafeBufferPointer { name in
      var request = unsafe clinux_open(
        path: name.baseAddress, access: permissions.accessMode, capability: -1,
        expects_number: isKnown,
        expects_block: type == .blockDevice, expected_major: status.rdev_major,
        expected_minor: status.rdev_minor, result: 0)
      return unsafe call(&request)
    }
  }

  /// Returns the least powerful permitted capability that could override the refusal.
  ///
  /// The result is `nil` if no such capability is permitted, or if it was already effective and
  /// therefore did not help.
  private static func capabilityToRaise(for permissions: Permissions) -> Capability? {
    guard let state = try? CapabilityState(),
      let permitted = try? state.members(of: CAP_PERMITTED),
      let effective = try? state.members(of: CAP_EFFECTIVE),
      !effective.contains(.overrideFileAccess)
    else { return nil }
    if !permissions.contains(.write), permitted.contains(.readAndSearch),
      !effective.contains(.readAndSearch)
    {
      return .readAndSearch
    }
    return permitted.contains(.overrideFileAccess) ? .overrideFileAccess : nil
  }
}

/// The file descriptor of an open device, which is closed when the value is destroyed.
public struct DeviceDescriptor: ~Copyable, Sendable {
  /// The file descriptor, which is valid for the lifetime of this value.
  public let rawValue: Int32

  /// Takes ownership of an open file descriptor.
  public init(adopting rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Returns the file descriptor without closing it; the caller must close it.
  public consuming func release() -> Int32 {
    let descriptor = rawValue
    discard self
    return descriptor
  }
}

/// The reply of a service that was asked for a device, with a descriptor if the request was granted.
public struct DeviceReply<Outcome: DeviceRequestOutcome>: ~Copyable, Sendable {
  /// The outcome of the request.
  public let outcome: Outcome
  private var descriptor: DeviceDescriptor?

  /// Creates a reply without a descriptor, for a request that was not granted.
  public init(_ outcome: Outcome) {
    self.outcome = outcome
    descriptor = nil
  }

  /// Creates a reply for a granted request.
  public init(granting descriptor: consuming DeviceDescriptor) {
    outcome = .granted
    self.descriptor = consume descriptor
  }

  /// Returns the descriptor, which the caller then owns; `nil` if the request was not granted.
  public consuming func takeDescriptor() -> DeviceDescriptor? { descriptor.take() }
}

/// The outcome of a request to another service, such as a portal or a broker.
public protocol DeviceRequestOutcome: Hashable, Sendable {
  /// The outcome of a request that was granted.
  static var granted: Self { get }

  /// The outcome of a request whose task was cancelled.
  static var cancelled: Self { get }
}

extension DeviceRequestOutcome {
  /// A Boolean value that indicates whether the outcome also answers other callers with the same
  /// request.
  ///
  /// A descriptor and a cancelled task belong to only one caller.
  package var isOfAll: Bool { self != .granted && self != .cancelled }
}

/// Opens a device once, as programs do, and reports the result.
enum DeviceProber {
  /// Opens a device once with openat(2) and the flags that most programs use.
  ///
  /// The flags are the access mode and `O_NONBLOCK`. No capability is raised. The call blocks while
  /// the driver opens the device.
  static func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    guard let resolved = try? AbsolutePath.resolve(node) else { return DeviceProbe() }
    let result = DeviceOpener.tryToOpen(resolved, for: permissions)
    // These errors say nothing about a device: nothing exists at the path, this process has no more
    // descriptors or memory, or a signal interrupted the call.
    let ofItself = [-ENOENT, -ENOTDIR, -ELOOP, -EMFILE, -ENFILE, -ENOMEM, -EINTR]
    guard result != CLINUX_OTHER_OBJECT, !ofItself.contains(result) else { return DeviceProbe() }
    var probe = DeviceProbe(
      attempt: Attempt(
        path: path, systemCall: "openat", flags: permissions.openFlags,
        errno: result >= 0 ? .success : Errno(negated: result)))
    guard result >= 0 else { return probe }
    ask(DeviceDescriptor(adopting: result), &probe)
    return probe
  }

  /// Queries the driver of a video node for its capabilities; other devices are skipped.
  private static func ask(_ descriptor: borrowing DeviceDescriptor, _ probe: inout DeviceProbe) {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0,
      clinux_major(status.st_rdev) == DeviceClasses.videoMajor
    else { return }
    var answer = v4l2_capability()
    guard unsafe cvideo4linux_query(descriptor.rawValue, &answer) >= 0 else { return }
    probe.driverCapabilities = unsafe cvideo4linux_device_capabilities(&answer)
    var card = [CChar](repeating: 0, count: 33)
    unsafe cvideo4linux_card(&answer, &card)
    probe.name = unsafe String(copying: card, limit: 32)
    let isPrivate = cvideo4linux_privacy(descriptor.rawValue)
    if isPrivate >= 0 { probe.isPrivate = isPrivate != 0 }
  }
}

/// The result of opening a device once.
public struct DeviceProbe: Hashable, Sendable {
  /// The attempt and its result; `nil` if the path is not a device or no attempt was possible.
  public var attempt: Attempt?
  /// The `device_caps` that `VIDIOC_QUERYCAP` returned; `nil` if no video node was opened.
  public var driverCapabilities: UInt32?
  /// The device name that the driver reports; untrusted text.
  public var name: String?
  /// A Boolean value that indicates whether the camera's privacy control is on
  /// (`V4L2_CID_PRIVACY`).
  ///
  /// The value is `nil` if the device has no such control.
  public var isPrivate: Bool?

  /// Creates the result of a probe; without an attempt, no device was opened.
  public init(
    attempt: Attempt? = nil, driverCapabilities: UInt32? = nil, name: String? = nil,
    isPrivate: Bool? = nil
  ) {
    self.attempt = attempt
    self.driverCapabilities = driverCapabilities
    self.name = name
    self.isPrivate = isPrivate
  }
}

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
