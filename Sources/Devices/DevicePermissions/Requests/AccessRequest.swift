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
  /// The methods to try, in the order of ``AccessMethod``.
  public var methods: Set<AccessMethod>
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
    methods: Set<AccessMethod> = Set(AccessMethod.allCases), timeout: Duration = .seconds(120),
    application: String? = nil
  ) {
    self.target = target
    self.wanted = wanted
    self.methods = methods
    self.timeout = timeout
    self.application = application
  }
}

/// A method of getting access.
///
/// A request tries the methods in the order of `allCases`, from the one that asks no user to the
/// one that needs an administrator.
public enum AccessMethod: String, Hashable, Sendable, Codable, CaseIterable {
  /// The device or directory can be opened as it is, without asking the user or raising a
  /// capability.
  case authorized
  /// The missing pictures directory is created in the user's own home directory; only for the
  /// album.
  case creation
  /// The desktop's camera portal asks the user and remembers the answer.
  case portal
  /// A capability of this process that is permitted but not effective is raised for one system
  /// call.
  case capability
  /// The privileged helper `devaccess-broker` opens the device after an administrator has
  /// authenticated with polkit.
  case broker
}

/// The complete answer to a request.
public struct AccessAnswer: Hashable, Sendable {
  /// The request.
  public var request: AccessRequest
  /// The method that gave access; `nil` if none did.
  public var method: AccessMethod?
  /// The token of the descriptor that the service keeps, for ``PermissionsService/take(_:)``; `nil`
  /// without access.
  ///
  /// A device that is allowed but could not be opened, such as a busy one, gives no access.
  public var token: AccessToken?
  /// The duration of the access; `nil` without access.
  public var term: AccessTerm?
  /// The methods that were tried, in order; if one gave access, it is the last.
  public var trials: [AccessTrial]
  /// The status, with its reason if access was not given.
  public var report: PermissionReport
  /// The status of each access level of the album; `nil` for any other object.
  public var album: AlbumReport?
  /// The diagnosis of the device or directory; `nil` if the machine could not be observed.
  public var explanation: Explanation?
  /// The side effects of opening the device; `nil` if it was not to be opened, or none is known.
  public var opening: OpeningEffect?
  /// The setting that can give access after a refusal; `nil` if access was given, or if no such
  /// setting is known.
  public var settings: SettingsLink?
}

extension AccessAnswer {
  /// The outcome of the request, which is `allowed` only if a method gave access.
  ///
  /// If no requested method gave access, the outcome is `refused` even if the device may be opened,
  /// for example because the device is busy. ``report`` describes the device, and this property
  /// describes the request.
  public var outcome: Answer {
    if trials.last?.outcome == .withheld { return .refused }
    return method == nil && report.answer == .allowed ? .refused : report.answer
  }

  /// The reason why access was not given, or why an allowed device could not be opened, as one
  /// sentence; `nil` if it is not known.
  ///
  /// It may contain untrusted text.
  public var reason: String? {
    let isUsable = report.answer == .allowed && token == nil
    guard isUsable || trials.last?.outcome == .withheld else { return report.reason }
    return trials.isEmpty ? "The request names no method." : trials.last?.reason
  }
}

/// The duration of the access.
public enum AccessTerm: String, Hashable, Sendable, Codable, CaseIterable {
  /// The access lasts while the descriptor is open; another open is decided by the same rules.
  case whileOpen
  /// The access lasts while the descriptor is open, and later requests are granted without asking
  /// until the stored answer changes.
  case untilRevoked
}

/// A method that was tried, with its outcome.
public struct AccessTrial: Hashable, Sendable {
  /// The outcome of a method.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// The method gave access.
    case granted
    /// The method does not exist here, and no user was asked.
    case unavailable
    /// A user, a stored answer or the kernel refused.
    case refused
    /// The desktop settings forbid it.
    case forbidden
    /// No answer arrived in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// Opening the device has an effect, and the request does not force it.
    case withheld
    /// The method failed, or the driver did not open a device that may be opened, such as a busy
    /// one.
    case failed
  }

  /// The method.
  public var method: AccessMethod
  /// The outcome of the method.
  public var outcome: Outcome
  /// More detail about the outcome, as one sentence; it may contain untrusted text.
  public var reason: String?

  /// Creates a trial.
  public init(_ method: AccessMethod, _ outcome: Outcome, reason: String? = nil) {
    self.method = method
    self.outcome = outcome
    self.reason = reason
  }
}
