public import AccessModel

/// A request for access to a device or to the album.
public struct AccessRequest: Hashable, Sendable {
  /// The object of a request.
  public enum Target: Hashable, Sendable {
    /// The preferred camera.
    case camera
    /// The camera with this name in udev, ignoring case.
    case cameraNamed(String)
    /// The preferred microphone.
    case microphone
    /// The first microphone of the sound card with this name in udev or in its driver, ignoring
    /// case.
    case microphoneNamed(String)
    /// The device at a path.
    case path(String)
    /// The pictures directory, either only to add pictures or also to list and read them.
    case album(AlbumAccessLevel)
  }

  /// The requested object.
  public var target: Target
  /// The access to open the device for; `nil` for the default of its kind, or for reading and
  /// writing.
  public var wanted: Permissions?
  /// The methods to try, in the order of ``AccessRoad``.
  public var roads: Set<AccessRoad>
  /// The longest time to wait for the user, and for the programs that ask the user.
  public var timeout: Duration
  /// The application identifier to register with the portal; `nil` to leave it to the portal.
  ///
  /// Programs outside a sandbox share one stored answer, regardless of the identifier.
  public var application: String?

  /// A Boolean value that indicates whether to open a device even if opening it has an effect.
  ///
  /// For example, opening a watchdog starts it.
  public var isForced = false

  /// Creates a request.
  public init(
    _ target: Target = .camera, wanted: Permissions? = nil,
    roads: Set<AccessRoad> = Set(AccessRoad.allCases), timeout: Duration = .seconds(120),
    application: String? = nil
  ) {
    self.target = target
    self.wanted = wanted
    self.roads = roads
    self.timeout = timeout
    self.application = application
  }
}
