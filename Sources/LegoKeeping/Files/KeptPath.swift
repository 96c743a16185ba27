internal import Synchronization

/// The path of a kept file, which can be asked for while the file waits for its lock.
final class KeptPath: Sendable {
  private let path: Mutex<String>

  /// - Parameter name: The name of the file, which stands for the path until that is known.
  init(_ name: String) {
    path = Mutex(name)
  }

  /// The path of the file, or its name while the path is not known.
  var text: String {
    get { path.withLock { $0 } }
    set { path.withLock { $0 = newValue } }
  }
}
