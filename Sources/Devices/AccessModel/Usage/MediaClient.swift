/// A program that uses a device through a media server, which has opened it.
///
/// Names come from the program itself and are untrusted.
public struct MediaClient: Hashable, Sendable {
  /// The name that the program reports.
  public var name: String
  /// The process ID; `nil` if the server does not report it.
  public var processID: Int32?
  /// The facts about the process; `nil` if only the program itself reports the ID.
  public var process: HoldingProcess?
  /// The ID of the sandboxed application, which the portal has reported to the server.
  public var application: String?
  /// A Boolean value that indicates whether the program receives data.
  public var isStreaming: Bool

  /// Creates a client, which by default streams.
  public init(
    name: String, processID: Int32? = nil, application: String? = nil, isStreaming: Bool = true
  ) {
    self.name = name
    self.processID = processID
    self.application = application
    self.isStreaming = isStreaming
  }
}

extension MediaClient: Codable {
  private enum CodingKeys: String, CodingKey {
    case name
    case processID = "pid"
    case process
    case application
    case isStreaming = "streaming"
  }
}
