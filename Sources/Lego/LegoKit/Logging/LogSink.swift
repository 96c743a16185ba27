internal import Dispatch

/// A destination for log entries.
public struct LogSink: Service {
  /// The default sink, ``standardOutput``, for stores that do not specify their own.
  public static let contractor = LogSink.standardOutput
  /// The default sink in tests, which is also ``standardOutput``.
  public static let testContractor: LogSink? = .standardOutput

  private let body: @Sendable (String) -> Void

  /// Creates a sink that passes each entry to a closure.
  ///
  /// An entry may span several lines. The closure may be called on several threads at the same
  /// time.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    body = write
  }

  /// Writes one entry.
  public func write(_ entry: String) {
    body(entry)
  }

  /// A sink that writes to standard output.
  public static let standardOutput = LogSink { entry in
    var output = StandardOutput()
    output.write(entry + "\n")
  }

  /// A sink that writes to standard error.
  ///
  /// ``write(_:)`` returns when the entry has been written, or after a second if the reader of
  /// standard error is stuck.
  public static let standardError = LogSink { StandardError.write($0 + "\n") }

  /// A sink that discards all entries.
  public static let nowhere = LogSink { _ in }
}

extension Contractors {
  /// The sink for stores that do not specify their own.
  public var logSink: LogSink {
    get { Self[LogSink.self] }
    set { Self[LogSink.self] = newValue }
  }
}

/// The service that receives reports of misuse, such as changes that cause one another without end.
public enum ProblemSink: Service {
  /// The default sink: standard error, because other programs may read standard output.
  public static let contractor = LogSink.standardError
  /// The default sink in tests, which is also standard error.
  public static let testContractor: LogSink? = .standardError
}

extension Contractors {
  /// The sink for reports of misuse.
  public var problemSink: LogSink {
    get { Self[ProblemSink.self] }
    set { Self[ProblemSink.self] = newValue }
  }
}

/// Writes to standard error through Dispatch, without using C or Foundation.
enum StandardError {
  private static let descriptor: Int32 = 2
  /// The maximum time that a report waits if the reader of standard error is stuck.
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

/// Writes to standard output.
struct StandardOutput: TextOutputStream {
  mutating func write(_ string: String) {
    print(string, terminator: "")
  }
}
