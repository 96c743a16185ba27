import DeviceAccessCommands
import Synchronization

/// A sink that stores its input, and can fail like a pipe or a disk.
final class RecordingSink: TextSink {
  let isTerminal: Bool
  private let failure: OutputError?
  private let storage = Mutex("")

  init(isTerminal: Bool = false, failure: OutputError? = nil) {
    self.isTerminal = isTerminal
    self.failure = failure
  }

  var text: String { storage.withLock { $0 } }

  func write(_ text: String) throws(OutputError) {
    if let failure { throw failure }
    storage.withLock { $0 += text }
  }
}
