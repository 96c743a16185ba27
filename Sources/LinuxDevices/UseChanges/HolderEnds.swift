internal import AccessModel
internal import CLinux
internal import Synchronization

/// Tells when a process that holds a device ends.
///
/// Another process that inherited its descriptor keeps the device open then, so that no close is
/// told.
final class HolderEnds: Sendable {
  private struct Holder: Hashable {
    var number: Int32
    var startTicks: UInt64

    init?(_ process: HoldingProcess) {
      // Without it, another process that gets the number could not be told from this one.
      guard let startTicks = process.startTicks else { return nil }
      number = process.id
      self.startTicks = startTicks
    }
  }

  private struct State {
    var watched: [Holder: WatchRegistration] = [:]
    var isOver = false
  }

  /// Few programs share a device; the rest is told by the events of its node.
  private static let most = 256

  private let state = Mutex(State())
  private let proc: String
  private let body: @Sendable () -> Void

  /// Calls `body`, mostly on the event loop's thread, when one of them has ended.
  init(proc: String, _ body: @escaping @Sendable () -> Void) {
    self.proc = proc
    self.body = body
  }

  /// Watches some processes, and no others.
  ///
  /// - Returns: Whether their ends are told.
  func cover(_ processes: [HoldingProcess]) -> Bool {
    // Those of a recorded machine do not run here.
    guard proc == MachineRoots().proc else { return true }
    // The numbers of another namespace are those of other processes here, or of none.
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
      let process = try OwnedDescriptor(negated: clinux_process(holder.number))
      // The number may be another process's by now.
      let folder = try OpenDirectory("\(proc)/\(holder.number)")
      guard try HolderObserver.stat(in: folder.descriptor)?.startTicks == holder.startTicks else {
        throw .noSuchProcess
      }
      let body = body
      return try EventLoop.shared.watch(
        DescriptorSource(process, interest: CLINUX_READABLE) { _, _ in
          body()
          return false
        })
    } catch {
      // It ended after it was looked at. Where ends cannot be told, closes are.
      if error == .noSuchProcess || error == .noSuchFile { body() }
      return nil
    }
  }
}
