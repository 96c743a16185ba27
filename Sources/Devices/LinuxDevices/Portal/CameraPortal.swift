public import AccessModel

/// A desktop's camera portal, or a substitute for tests.
public protocol CameraPortal: Sendable {
  /// Returns the portal's status without prompting the user and without starting any service.
  ///
  /// Blocks until the message bus replies, at most two seconds.
  ///
  /// - Parameter application: The application whose stored answer to read; `nil` if its identifier
  ///   is unknown. No answer is read then.
  /// - Returns: The availability of the portal, and the stored answer.
  func status(of application: String?) -> PortalStatus

  /// Requests access to the camera, which may start the portal and prompt the user.
  ///
  /// When the request times out or the caller's task is cancelled, the dialog is closed.
  func request(_ request: PortalRequest) async -> PortalReply

  /// Returns a stream of the permission store's contents: the current answer, and each new one.
  ///
  /// No service is started. The stream ends when the connection to the message bus ends.
  func permissions(of application: String) -> AsyncStream<PortalPermission>

  /// Stores or deletes the answer for an application, which may start the permission store.
  ///
  /// - Parameters:
  ///   - answer: The answer; `nil` to make the portal ask again.
  ///   - application: The identifier of the application. The empty string identifies all programs
  ///     that are not sandboxed and that the portal does not recognize.
  /// - Throws: `unavailable` if there is no permission store or it rejects the change.
  func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError)
}

/// A request to the camera portal.
public struct PortalRequest: Hashable, Sendable {
  /// The application identifier to register with the portal first, such as `org.example.Booth`.
  ///
  /// If the value is `nil`, the portal identifies the caller on its own. Registration works only
  /// outside a sandbox and with portal version 1.20 or later. The identifier appears in dialogs,
  /// but all programs outside a sandbox still share one stored answer.
  public var application: String?
  /// The total time to wait for the user and the portal.
  public var timeout: Duration

  /// Creates a request.
  public init(application: String? = nil, timeout: Duration = .seconds(120)) {
    self.application = application
    self.timeout = timeout
  }
}

/// The camera portal's reply to a request, with the PipeWire connection if it was granted.
///
/// The connection exposes only cameras.
public typealias PortalReply = DeviceReply<PortalOutcome>

/// The outcome of a request to a desktop portal.
///
/// The associated strings may contain text that another program wrote.
public enum PortalOutcome: DeviceRequestOutcome {
  /// The portal granted the request and returned a PipeWire connection or the chosen files.
  case granted
  /// The portal refused the request (`Response` 1).
  ///
  /// The user declined or closed the dialog, or the stored answer is `no`.
  case refused
  /// The dialog ended without an answer (`Response` 2).
  case interrupted
  /// The desktop's lockdown settings disable cameras (`disable-camera`).
  case forbidden
  /// The portal granted the request but did not return a connection, as with a stored `ask`.
  case withheld
  /// The portal is not available, for the given reason.
  case absent(String)
  /// The request timed out.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The portal exited, failed or sent an invalid reply.
  case failed(String)
}

/// The status of the camera portal, determined without prompting the user.
public struct PortalStatus: Hashable, Sendable {
  /// A Boolean value that indicates whether the portal is running or can be started by the bus.
  ///
  /// If the bus could not be asked, the value is `false`, and ``permission`` contains the reason.
  public var isReachable: Bool
  /// The permission store's answer for the application.
  public var permission: PortalPermission
  /// A Boolean value that indicates whether the portal detects a camera.
  ///
  /// The value is `nil` if the portal is not running or does not report it.
  public var isCameraPresent: Bool?

  /// Creates a status; the default values describe a machine without a portal.
  public init(
    isReachable: Bool = false, permission: PortalPermission = .nothing, isCameraPresent: Bool? = nil
  ) {
    self.isReachable = isReachable
    self.permission = permission
    self.isCameraPresent = isCameraPresent
  }
}

/// The permission store's answer about an application's use of the camera.
public enum PortalPermission: Hashable, Sendable {
  /// The store contains an answer.
  case answer(PortalStoredAnswer)
  /// The store contains no answer, because the user was never asked or the answer was deleted.
  case nothing
  /// The store could not be read, for the given reason.
  case unread(String)
}

/// An answer for an application in the desktop's permission store.
public enum PortalStoredAnswer: String, Hashable, Sendable, Codable, CaseIterable {
  /// The portal opens the camera without prompting the user.
  case yes
  /// The portal refuses access without prompting the user.
  case no
  /// The portal prompts each time, and does not open the camera even if the user agrees.
  case ask
}

/// The identifier under which the camera portal stores answers for a program.
public enum PortalApplication {
  /// Returns the identifier of a program, given its confinement.
  ///
  /// The portal identifies an application by its sandbox. All programs outside a sandbox share the
  /// empty identifier and its stored answer, even if they register a different one.
  ///
  /// - Returns: The identifier; `nil` for a sandbox that does not reveal it.
  public static func identifier(of confinement: ConfinementFacts) -> String? {
    switch confinement.container {
    case "flatpak": confinement.application?.name
    case nil: ""
    default: nil
    }
  }
}
