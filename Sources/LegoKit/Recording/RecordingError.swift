/// Why a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let reason: String
  /// The line it is wrong in, counted from one, where that is known.
  public let line: Int?

  /// The error as one line.
  public var description: String {
    line.map { "line \($0) of the recording: \(reason)" } ?? "the recording: \(reason)"
  }
}
