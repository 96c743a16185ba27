internal import Dispatch

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
