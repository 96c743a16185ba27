internal import DeviceAccessCommands
internal import Synchronization

/// Stores the output of a command.
final class CommandSink: TextSink {
  private let storage = Mutex("")

  var text: String { storage.withLock { $0 } }
  var isTerminal: Bool { false }

  func write(_ text: String) throws(OutputError) {
    storage.withLock { $0 += text }
  }
}
