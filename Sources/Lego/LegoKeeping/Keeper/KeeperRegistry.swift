internal import Dispatch
internal import Glibc
internal import Synchronization

/// An object that has something to save before the process exits.
protocol SavedAtExit: AnyObject, Sendable {
  /// Saves the unsaved value, and then calls a closure.
  func saveBeforeExit(_ done: @escaping @Sendable () -> Void)

  /// Reports that the process exits without saving the value.
  func reportUnsaved()
}

/// The keepers that are in use.
///
/// It retains them, so that the last value of a released store is saved. When the program exits by
/// exit(3) or at the end of `main`, it makes them save.
final class KeeperRegistry: Sendable {
  static let shared = KeeperRegistry()

  private struct State: Sendable {
    var keepers: [ObjectIdentifier: any SavedAtExit] = [:]
    /// The process that registered the exit handler.
    ///
    /// A forked child is a different process.
    var process: pid_t = 0
  }

  private let state = Mutex(State())

  func add(_ keeper: any SavedAtExit) {
    let isFirst = state.withLock { state in
      state.keepers[ObjectIdentifier(keeper)] = keeper
      defer { state.process = getpid() }
      return state.process != getpid()
    }
    if isFirst { atexit { KeeperRegistry.shared.finishAtExit() } }
  }

  func remove(_ keeper: any SavedAtExit) {
    state.withLock { $0.keepers[ObjectIdentifier(keeper)] = nil }
  }

  /// Makes all keepers save, and waits for them up to a time limit.
  ///
  /// Keepers that take longer report that they did not save, for example if another program holds
  /// the lock.
  ///
  /// - Parameter seconds: The time limit.
  func finish(within seconds: Int) {
    let keepers = state.withLock { Array($0.keepers.values) }
    if keepers.isEmpty { return }
    let group = DispatchGroup()
    for keeper in keepers {
      group.enter()
      keeper.saveBeforeExit { group.leave() }
    }
    if group.wait(timeout: .now() + .seconds(seconds)) == .success { return }
    for keeper in keepers { keeper.reportUnsaved() }
  }

  private func finishAtExit() {
    // The dispatch queues of a process do not run in a forked child.
    guard state.withLock({ $0.process }) == getpid() else { return }
    finish(within: 10)
  }
}
