public import LinuxDevices

/// An open device, a connection to PipeWire that shows cameras, or the pictures directory.
///
/// The descriptor is closed when the value is destroyed. Until then, the status of the request
/// stays `authorized`, unless the machine itself refuses access; ``revocations`` reports that.
public struct DeviceAccess: ~Copyable, Sendable {
  /// The type of a descriptor.
  public enum Kind: Hashable, Sendable {
    /// An open device node.
    case device(path: String)
    /// A PipeWire socket, for `pw_context_connect_fd` and similar functions.
    case pipeWire
    /// The open pictures directory; see ``DeviceAccess/album()``.
    case album(path: String)
  }

  /// The details of how a descriptor was obtained.
  struct Terms: Sendable {
    var kind: Kind
    var method: AccessMethod
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

  /// The file descriptor.
  ///
  /// It is valid during the lifetime of this value, and is closed on execve(2).
  public var rawValue: Int32 { descriptor.rawValue }

  /// The type of the descriptor.
  public var kind: Kind { terms.kind }

  /// The method that gave the access.
  public var method: AccessMethod { terms.method }

  /// Returns the pictures directory, for adding pictures; it has its own descriptor.
  ///
  /// - Throws: `wrongObject` for any kind except ``Kind/album(path:)``, `failed` if the process has
  ///   no free descriptor.
  public borrowing func album() throws(AlbumError) -> Album {
    guard case .album(let path) = terms.kind else {
      throw AlbumError(.wrongObject, at: "the descriptor", "it is not in the pictures directory")
    }
    return try Album(duplicating: descriptor.rawValue, path: path)
  }

  /// Closes the descriptor now.
  public consuming func close() {}

  /// A stream that reports at most one revocation of the access and then ends.
  ///
  /// An open descriptor may continue to work: the kernel checks permissions when a device is
  /// opened, and PipeWire checks them when a stream starts. Each use of this property starts its
  /// own watch, which ends with the iterating task. The watch does not keep the descriptor open.
  public var revocations: AsyncStream<AccessRevocation> {
    terms.watch.revocations(of: descriptor.rawValue)
  }
}

/// Access to a microphone.
public typealias MicrophoneAccess = DeviceAccess
/// Access to a camera.
public typealias CameraAccess = DeviceAccess
