/// A program that uses a device through a media server, which has opened it.
///
/// Names come from the program itself, and are untrusted.
public struct MediaClient: Hashable, Sendable {
  /// What it calls itself.
  public var name: String
  /// The process ID; `nil` where the server does not tell.
  public var processID: Int32?
  /// What was seen of that process; `nil` where only the program itself says which it is.
  public var process: HoldingProcess?
  /// The ID of the sandboxed application that it is, as the portal told the server.
  public var application: String?
  /// Whether data flows to it.
  public var isStreaming: Bool

  /// Creates a client that streams, unless said otherwise.
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
