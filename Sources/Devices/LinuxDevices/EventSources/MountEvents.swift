package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Reports when something is mounted, unmounted or remounted (proc_pid_mountinfo(5)).
package enum MountSource {
  /// Returns a source that calls `body` after each change to the calling thread's mounts.
  ///
  /// - Throws: The error from opening the table.
  package static func source(
    proc: String, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let path = "\(proc)/thread-self/mountinfo"
    let table = try OwnedDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC))
    return DescriptorSource(table, interest: CLINUX_URGENT) { _, _ in
      body()
      return true
    }
  }
}

/// Detects that a mount was covered or replaced by another.
///
/// The new mount may look the same, but the objects below it are different.
package final class MountChanges: Sendable {
  private struct State {
    /// The IDs of the visible mounts, by mount point.
    var seen: [String: UInt64]
    var isStale = false
  }

  private let state: Mutex<State>
  private let path: String
  /// The open mount table, which shows a change before the event loop reports it.
  ///
  /// It is `nil` if the table could not be opened.
  private let table: Mutex<OwnedDescriptor?>

  /// Reads the current mounts.
  ///
  /// - Parameter proc: The path of procfs.
  package init(proc: String) {
    path = "\(proc)/thread-self/mountinfo"
    table = Mutex(try? OwnedDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC)))
    state = Mutex(State(seen: Self.read(path)))
  }

  /// Records that the table has changed; called on the event loop's thread.
  package func note() { state.withLock { $0.isStale = true } }

  /// Returns the mount points at which another mount is visible than before, for one consumer.
  ///
  /// - Parameter isReading: A Boolean value that indicates whether to include changes that the
  ///   event loop has not reported yet, because a scan may have seen them.
  /// - Returns: The mount points, and whether the table has changed without being recorded.
  package func takeReplaced(reading isReading: Bool) -> (places: Set<String>, isAhead: Bool) {
    let isAhead = isReading && hasChanged
    let before = state.withLock { state -> [String: UInt64]? in
      defer { state.isStale = false }
      return state.isStale || isAhead ? state.seen : nil
    }
    guard let before else { return ([], false) }
    // Outside of the lock, because the event loop may wait for it.
    let now = Self.read(path)
    state.withLock { $0.seen = now }
    let places = now.filter { place, id in before[place].map { $0 != id } ?? false }.keys
    return (Set(places), isAhead)
  }

  /// A Boolean value that indicates whether the table changed since the last read of this property.
  ///
  /// See proc_pid_mountinfo(5).
  private var hasChanged: Bool {
    // poll(2) ignores a negative descriptor.
    var event = pollfd(fd: table.withLock { $0?.number } ?? -1, events: Int16(POLLPRI), revents: 0)
    return unsafe poll(&event, 1, 0) > 0
  }

  private static func read(_ path: String) -> [String: UInt64] {
    var unobserved: [Unobserved] = []
    // A later mount covers an earlier one at the same point.
    let entries = MountTable.read(path, &unobserved).entries.map { ($0.point, $0.id) }
    return Dictionary(entries) { _, last in last }
  }
}
