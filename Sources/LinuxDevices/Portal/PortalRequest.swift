/// What to ask a camera portal for.
public struct PortalRequest: Hashable, Sendable {
  /// The application identifier to register with the portal first, such as `org.example.Booth`;
  /// `nil` to leave it to the portal who the caller is.
  ///
  /// Only for programs outside a sandbox, and only portals since 1.20 take it. It names the program
  /// in dialogs; the camera's answer is still the one that all such programs share.
  public var application: String?
  /// How long to wait for the person and the portal together.
  public var timeout: Duration

  /// Creates a request.
  public init(application: String? = nil, timeout: Duration = .seconds(120)) {
    self.application = application
    self.timeout = timeout
  }
}
