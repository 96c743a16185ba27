public import LinuxDevices

/// An open device, a connection to PipeWire on which cameras are visible, or the pictures directory.
///
/// The descriptor is closed with the value. Until then the status of what was asked for stays
/// `authorized`, except where the machine itself refuses it meanwhile: ``revocations`` tells of that.
public struct DeviceAccess: ~Copyable, Sendable {
  /// What the descriptor is.
  public enum Kind: Hashable, Sendable {
    /// An open device node.
    case device(path: String)
    /// A socket of PipeWire, for `pw_context_connect_fd` and the like.
    case pipeWire
    /// The open pictures directory; see ``DeviceAccess/album()``.
    case album(path: String)
  }

  /// What a descriptor was given under.
  struct Terms: Sendable {
    var kind: Kind
    var road: AccessRoad
    var watch: AccessWatch
  }

  private let descriptor: DeviceDescriptor
  private let token: AccessToken
  private let terms: Terms
  private let held: HeldAccesses

  init(
    _ descriptor: consuming DeviceDescriptor, _ token: AccessToken, _ terms: Terms,
    _ held: HeldAccesses
  ) {
    self.descriptor = descriptor
    self.token = token
    self.terms = terms
    self.held = held
  }

  deinit { held.end(token) }

  /// The file descriptor, valid as long as this value lives; it closes on execve(2).
  public var rawValue: Int32 { descriptor.rawValue }

  /// What the descriptor is.
  public var kind: Kind { terms.kind }

  /// The road that led to it.
  public var road: AccessRoad { terms.road }

  /// The pictures directory, to add pictures to; it has a descriptor of its own.
  ///
  /// - Throws: `wrongObject` for anything but ``Kind/album(path:)``, `failed` where the process has no
  ///   room for a descriptor.
  public borrowing func album() throws(AlbumError) -> Album {
    guard case .album(let path) = terms.kind else {
      throw AlbumError(.wrongObject, at: "the descriptor", "it is not in the pictures directory")
    }
    return try Album(duplicating: descriptor.rawValue, path: path)
  }

  /// Closes the descriptor now.
  public consuming func close() {}

  /// Tells when access is taken back, at most once, and ends then.
  ///
  /// An open descriptor may go on to work: the kernel checks permissions as a device is opened, and
  /// PipeWire as a stream begins. Each call begins a watch of its own, which ends with the iterating
  /// task. It does not keep the descriptor open.
  public var revocations: AsyncStream<AccessRevocation> {
    terms.watch.revocations(of: descriptor.rawValue)
  }
}

/// Access to a microphone.
public typealias MicrophoneAccess = DeviceAccess
/// Access to a camera.
public typealias CameraAccess = DeviceAccess
