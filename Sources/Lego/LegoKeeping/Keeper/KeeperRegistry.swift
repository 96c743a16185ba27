internal import Dispatch
internal import Glibc
internal import Synchronization

/// An object that may have to save a value before the process exits.
protocol SavedAtExit: AnyObject, Sendable {
  /// Saves the value if necessary, and then calls a closure.
  func saveBeforeExit(_ done: @escaping @Sendable () -> Void)

  /// If the save has not finished, reports that the process is exiting without saving the value.
  func reportUnsaved()
}

/// A registry of the keepers that are in use.
///
/// The registry retains its keepers, so that the last value of a released store is still saved.
/// When the program calls exit(3) or returns from `main`, the registry asks all keepers to save.
final class KeeperRegistry: Sendable {
  static let shared = KeeperRegistry()

  private struct State: Sendable {
    var keepers: [ObjectIdentifier: any SavedAtExit] = [:]
    /// The ID of the process that has registered the exit handler.
    ///
    /// A forked child has a different ID.
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

  /// Asks all keepers to save, and waits for them up to a time limit.
  ///
  /// A keeper that needs more time, for example because another program holds the lock, reports
  /// that its value is not saved.
  ///
  /// - Parameter seconds: The time limit in seconds.
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
