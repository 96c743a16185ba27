internal import Dispatch

/// The destination of a log.
public struct LogSink: Service {
  /// The sink of stores that specify none: ``standardOutput``.
  public static let contractor = LogSink.standardOutput
  /// Tests use standard output as well.
  public static let testContractor: LogSink? = .standardOutput

  private let body: @Sendable (String) -> Void

  /// Creates a sink.
  ///
  /// The closure receives one entry at a time, which may have several lines.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    body = write
  }

  /// Writes one entry.
  public func write(_ entry: String) {
    body(entry)
  }

  /// Writes to standard output.
  public static let standardOutput = LogSink { entry in
    var output = StandardOutput()
    output.write(entry + "\n")
  }

  /// Writes to standard error.
  ///
  /// The entry has been written when ``write(_:)`` returns.
  public static let standardError = LogSink { StandardError.write($0 + "\n") }

  /// Drops all entries.
  public static let nowhere = LogSink { _ in }
}

extension Contractors {
  /// The sink of stores that specify none.
  public var logSink: LogSink {
    get { Self[LogSink.self] }
    set { Self[LogSink.self] = newValue }
  }
}

/// The destination of reports about misuse, such as changes that cause one another without end.
public enum ProblemSink: Service {
  /// Standard error, because another program may read standard output.
  public static let contractor = LogSink.standardError
  /// Tests use standard error as well.
  public static let testContractor: LogSink? = .standardError
}

extension Contractors {
  /// The destination of reports about misuse.
  public var problemSink: LogSink {
    get { Self[ProblemSink.self] }
    set { Self[ProblemSink.self] = newValue }
  }
}

/// The process's standard error, which Swift can reach without C only through Dispatch.
enum StandardError {
  private static let descriptor: Int32 = 2
  /// If the reader of standard error is stuck, a report waits no longer than this.
  private static let patience = DispatchTimeInterval.seconds(1)
  private static let queue = DispatchQueue(label: "lego.standard-error")

  static func write(_ text: String) {
    var data = DispatchData.empty
    unsafe Array(text.utf8).withUnsafeBytes { unsafe data.append($0) }
    let written = DispatchSemaphore(value: 0)
    DispatchIO.write(toFileDescriptor: descriptor, data: data, runningHandlerOn: queue) { _, _ in
      written.signal()
    }
    _ = written.wait(timeout: .now() + patience)
  }
}

/// The process's standard output.
struct StandardOutput: TextOutputStream {
  mutating func write(_ string: String) {
    print(string, terminator: "")
  }
}
