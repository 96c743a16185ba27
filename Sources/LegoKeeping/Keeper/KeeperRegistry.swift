internal import Dispatch
internal import Glibc
internal import Synchronization

/// What has something to finish before the process ends.
protocol SavedAtExit: AnyObject, Sendable {
  /// Saves what is not saved yet, and then calls a closure.
  func saveBeforeExit(_ done: @escaping @Sendable () -> Void)

  /// Reports what is still not saved, since the process ends without it.
  func reportUnsaved()
}

/// The keepers that are in use.
///
/// It holds them, so that the last value of a store that went away is saved; and it has them save
/// when the program ends by exit(3), as it does at the end of `main`.
final class KeeperRegistry: Sendable {
  static let shared = KeeperRegistry()

  private struct State: Sendable {
    var keepers: [ObjectIdentifier: any SavedAtExit] = [:]
    /// The process that asked to be told of its end; a child of it is another.
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

  /// Has all save, and waits for them, but not without an end.
  ///
  /// What takes longer, as where another program holds the lock, is reported.
  ///
  /// - Parameter seconds: How long to wait.
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
    // The queues of a process do not run in a child that it forked.
    guard state.withLock({ $0.process }) == getpid() else { return }
    finish(within: 10)
  }
}
