internal import AccessModel
internal import Glibc
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
  /// What tells of a change before the event loop does; `nil` where the table cannot be opened.
  private let table: Mutex<OwnedDescriptor?>

  /// - Parameter proc: Where procfs is.
  init(proc: String) {
    path = "\(proc)/thread-self/mountinfo"
    table = Mutex(try? OwnedDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC)))
    state = Mutex(State(seen: Self.read(path)))
  }

  /// Notes that the table has changed; called on the event loop's thread.
  func note() { state.withLock { $0.isStale = true } }

  /// Takes the places at which another mount is seen than before; for one consumer.
  ///
  /// - Parameter isReading: Whether what the event loop has not told yet counts, too: a look may have seen
  ///   what is mounted already.
  /// - Returns: The places, and whether the table has changed without being noted.
  func takeReplaced(reading isReading: Bool) -> (places: Set<String>, isAhead: Bool) {
    let isAhead = isReading && hasChanged
    let before = state.withLock { state -> [String: UInt64]? in
      defer { state.isStale = false }
      return state.isStale || isAhead ? state.seen : nil
    }
    guard let before else { return ([], false) }
    // Outside of the lock, for which the event loop waits.
    let now = Self.read(path)
    state.withLock { $0.seen = now }
    let places = now.filter { place, id in before[place].map { $0 != id } ?? false }.keys
    return (Set(places), isAhead)
  }

  /// Whether the table has changed since this was last asked (proc_pid_mountinfo(5)).
  private var hasChanged: Bool {
    // poll(2) passes over a negative number.
    var event = pollfd(fd: table.withLock { $0?.number } ?? -1, events: Int16(POLLPRI), revents: 0)
    return unsafe poll(&event, 1, 0) > 0
  }

  private static func read(_ path: String) -> [String: UInt64] {
    var unobserved: [Unobserved] = []
    // A later mount covers an earlier one at the same place.
    let entries = MountTable.read(path, &unobserved).entries.map { ($0.point, $0.id) }
    return Dictionary(entries) { _, last in last }
  }
}
