/// The reason why the kernel could not be asked.
public struct OracleError: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String

  public init(reason: String) {
    self.reason = reason
  }

  public var description: String { reason }
}
