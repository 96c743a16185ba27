public import AccessModel

/// What to ask for, and how.
public struct AccessRequest: Hashable, Sendable {
  /// What is asked for.
  public enum Target: Hashable, Sendable {
    /// The camera that would be chosen first.
    case camera
    /// The camera that udev calls so; letters may be of either case.
    case cameraNamed(String)
    /// The microphone that would be chosen first.
    case microphone
    /// The first microphone of the sound card that udev or its driver calls so; letters may be of either
    /// case.
    case microphoneNamed(String)
    /// The device at a path.
    case path(String)
    /// The pictures directory, to add pictures or to list and read them as well.
    case album(AlbumAccessLevel)
  }

  /// What is asked for.
  public var target: Target
  /// What to open a device for; `nil` for what its kind needs, and for reading and writing otherwise.
  public var wanted: Permissions?
  /// The roads to try, in the order of ``AccessRoad``.
  public var roads: Set<AccessRoad>
  /// How long to wait for a person, and for the programs that ask one.
  public var timeout: Duration
  /// The application identifier to register with the portal; `nil` to leave it to the portal.
  ///
  /// Programs outside a sandbox share one stored answer, whatever they register.
  public var application: String?

  /// Whether to open it even if opening has an effect, as with a watchdog.
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
