internal import JSONText
internal import MessageBus

/// An error that occurs while an application communicates or registers with the desktop.
public struct DesktopApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The name is not a valid bus name.
    ///
    /// A valid name is, for example, `org.example.Photos`.
    public static let badName = Code(description: "badName")
    /// The scheme is not valid.
    ///
    /// A valid scheme is, for example, `photos`.
    public static let badScheme = Code(description: "badScheme")
    /// A path, an argument or an action cannot be written to a desktop entry.
    public static let badEntry = Code(description: "badEntry")
    /// The application has already been started or closed.
    public static let alreadyStarted = Code(description: "alreadyStarted")
    /// Another instance is running, but refuses the links or does not accept them in time.
    public static let notHandedOver = Code(description: "notHandedOver")
    /// There is no connection to the bus.
    public static let notConnected = Code(description: "notConnected")
    /// No service has shown the notification.
    public static let notShown = Code(description: "notShown")
    /// A file cannot be written.
    public static let notWritten = Code(description: "notWritten")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
  }

  /// The kind of error.
  public let code: Code
  /// The subject of the error, such as the name of the application, a scheme, or the path of a
  /// file.
  public let subject: String
  /// A short description of the cause.
  public let reason: String

  init(_ code: Code, _ subject: String, _ reason: String) {
    self.code = code
    self.subject = subject
    self.reason = reason
  }

  init(_ code: Code, _ subject: String, _ failure: BusFailure) {
    self.init(
      failure == .cancelled ? .cancelled : code, subject, JSONQuotes.escaped(failure.description))
  }

  /// A one-line description of the error, without control characters.
  public var description: String { "\(JSONQuotes.quoted(subject)): \(reason)" }
}
