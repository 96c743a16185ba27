internal import Dispatch

/// Where a store writes its log.
public struct LogSink: Service {
  /// The sink in force when a store is given none: ``standardOutput``.
  public static let contractor = LogSink.standardOutput
  /// A test's log goes where every other goes.
  public static let testContractor: LogSink? = .standardOutput

  private let body: @Sendable (String) -> Void

  /// Creates a sink; the closure gets one entry at a time, which may have several lines.
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
  /// An entry is written when ``write(_:)`` returns.
  public static let standardError = LogSink { StandardError.write($0 + "\n") }

  /// Drops everything.
  public static let nowhere = LogSink { _ in }
}

extension Contractors {
  /// Where stores write their log when they are given no sink of their own.
  public var logSink: LogSink {
    get { Self[LogSink.self] }
    set { Self[LogSink.self] = newValue }
  }
}

/// Where stores report misuse, such as changes that cause one another without end.
public enum ProblemSink: Service {
  /// The sink in force when none was chosen: standard error, since standard output may be read by
  /// another program.
  public static let contractor = LogSink.standardError
  /// A test's reports go where every other goes.
  public static let testContractor: LogSink? = .standardError
}

extension Contractors {
  /// Where stores report misuse.
  public var problemSink: LogSink {
    get { Self[ProblemSink.self] }
    set { Self[ProblemSink.self] = newValue }
  }
}

/// The process's standard error, which Swift reaches without C only through Dispatch.
enum StandardError {
  private static let descriptor: Int32 = 2
  /// A reader that takes nothing must not hold up whoever reports something.
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
