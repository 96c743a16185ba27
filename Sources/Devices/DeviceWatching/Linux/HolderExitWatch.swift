internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Reports when a process that holds a device ends.
///
/// If another process has inherited the descriptor, the device stays open and no close event
/// occurs.
final class HolderExitWatch: Sendable {
  private struct Holder: Hashable {
    var number: Int32
    var startTicks: UInt64

    init?(_ process: HoldingProcess) {
      // Without the start time, a process that reuses the ID could not be distinguished.
      guard let startTicks = process.startTicks else { return nil }
      number = process.id
      self.startTicks = startTicks
    }
  }

  private struct State {
    var watched: [Holder: WatchRegistration] = [:]
    var isOver = false
  }

  /// The maximum number of processes to watch; events on the node report the others.
  private static let most = 256

  private let state = Mutex(State())
  private let proc: String
  private let body: @Sendable () -> Void

  /// Creates a watch that does not cover any processes yet.
  ///
  /// - Parameters:
  ///   - proc: The mount point of procfs.
  ///   - body: Called when one of the processes has ended, usually on the event loop's thread.
  init(proc: String, _ body: @escaping @Sendable () -> Void) {
    self.proc = proc
    self.body = body
  }

  /// Replaces the set of watched processes.
  ///
  /// - Returns: `false` if the ends cannot be reported because procfs shows another PID namespace.
  func cover(_ processes: [HoldingProcess]) -> Bool {
    // The processes of a recorded machine are not running on this one.
    guard proc == MachineRoots().proc else { return true }
    // In another namespace, the same IDs belong to other processes or to none.
    guard ProcessVisibility(proc: proc).isOfOwnNamespace else { return processes.isEmpty }
    let holders = Set(processes.prefix(Self.most).compactMap(Holder.init))
    let (known, gone) = state.withLock { state in
      let gone = state.watched.filter { !holders.contains($0.key) }
      for holder in gone.keys { state.watched[holder] = nil }
      return (Set(state.watched.keys), gone)
    }
    for registration in gone.values { registration.cancel() }
    for holder in holders.subtracting(known) {
      guard let registration = watch(holder) else { continue }
      let isLate = state.withLock { state in
        if !state.isOver { state.watched[holder] = registration }
        return state.isOver
      }
      if isLate { registration.cancel() }
    }
    return true
  }

  func end() {
    let all = state.withLock { state in
      state.isOver = true
      let all = state.watched
      state.watched = [:]
      return all
    }
    for registration in all.values { registration.cancel() }
  }

  private func watch(_ holder: Holder) -> WatchRegistration? {
    do throws(Errno) {
      return try EventLoop.shared.watch(
        ProcessEndSource.source(
          holder.number, startedAt: holder.startTicks, proc: proc, body))
    } catch {
      // The process ended after the scan. If its end cannot be watched, close events still occur.
      if error == .noSuchProcess || error == .noSuchFile { body() }
      return nil
    }
  }
}
