internal import Synchronization

/// The last design of a part that may go.
///
/// The store shows it each new design under its lock, and keeps nothing of it.
final class PartMemory<Part: Sendable>: Sendable {
  let guardian = PartGuard()
  private let last: Mutex<Part>

  init(_ part: Part) {
    last = Mutex(part)
  }

  /// The part as the last change left it, or as it was when it went.
  var part: Part { last.withLock { $0 } }

  /// Takes the part from a new design.
  ///
  /// - Returns: Whether the part is still there.
  func update(_ part: Part?) -> Bool {
    guard let part else {
      guardian.noteEnd()
      return false
    }
    last.withLock { $0 = part }
    return true
  }
}
