/// A request to the camera portal.
public struct PortalRequest: Hashable, Sendable {
  /// The application identifier to register with the portal first, such as `org.example.Booth`.
  ///
  /// If the value is `nil`, the portal identifies the caller itself. Registration works only
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
