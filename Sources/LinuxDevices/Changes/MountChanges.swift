internal import AccessModel
internal import Synchronization

/// Where something else was mounted over, or in the place of, what is mounted: the mount looks the same,
/// and what is below it are other objects.
final class MountChanges: Sendable {
  private struct State {
    /// The numbers of the mounts that are seen, by their places.
    var seen: [String: UInt64]
    var isStale = false
  }

  private let state: Mutex<State>
  private let path: String

  /// - Parameter proc: Where procfs is.
  init(proc: String) {
    path = "\(proc)/thread-self/mountinfo"
    state = Mutex(State(seen: Self.read(path)))
  }

  /// Notes that the table has changed; called on the event loop's thread.
  func note() { state.withLock { $0.isStale = true } }

  /// Takes the places at which another mount is seen than before; for one consumer.
  func takeReplaced() -> Set<String> {
    let before = state.withLock { state -> [String: UInt64]? in
      defer { state.isStale = false }
      return state.isStale ? state.seen : nil
    }
    guard let before else { return [] }
    // Outside of the lock, for which the event loop waits.
    let now = Self.read(path)
    state.withLock { $0.seen = now }
    return Set(now.filter { place, id in before[place].map { $0 != id } ?? false }.keys)
  }

  private static func read(_ path: String) -> [String: UInt64] {
    var unobserved: [Unobserved] = []
    // A later mount covers an earlier one at the same place.
    let entries = MountTable.read(path, &unobserved).entries.map { ($0.point, $0.id) }
    return Dictionary(entries) { _, last in last }
  }
}
