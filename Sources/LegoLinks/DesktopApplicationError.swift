internal import JSONText
internal import MessageBus

/// What went wrong between a program and the desktop.
public struct DesktopApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The name of the program is not one that a bus knows, such as `org.example.Photos`.
    public static let badName = Code(description: "badName")
    /// A scheme is not one of a link, such as `photos`.
    public static let badScheme = Code(description: "badScheme")
    /// A value of a desktop entry cannot be written into one.
    public static let badEntry = Code(description: "badEntry")
    /// The application was started before, or was closed.
    public static let alreadyStarted = Code(description: "alreadyStarted")
    /// Another instance runs, and does not take the links in time or refuses them.
    public static let notHandedOver = Code(description: "notHandedOver")
    /// There is no connection to the bus.
    public static let notConnected = Code(description: "notConnected")
    /// No service shows the notification.
    public static let notShown = Code(description: "notShown")
    /// A file cannot be written.
    public static let notWritten = Code(description: "notWritten")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
  }

  /// What kind of error it is.
  public let code: Code
  /// What it is about: the name of the program, a scheme, the path of a file.
  public let subject: String
  /// What is wrong, as a clause.
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

  /// The error as one line, without control characters.
  public var description: String { "\(JSONQuotes.quoted(subject)): \(reason)" }
}
