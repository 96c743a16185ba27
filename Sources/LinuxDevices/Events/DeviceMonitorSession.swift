internal import AccessModel
internal import Synchronization

/// Everything that one monitor has the event loop watch.
final class DeviceMonitorSession: Sendable {
  private struct State {
    var socket: WatchRegistration?
    var others: [WatchRegistration] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let subsystems: Set<String>
  private let roots: MachineRoots
  let mailbox: DeviceMailbox

  init(
    _ subsystems: Set<String>, roots: MachineRoots, _ signal: AsyncStream<Void>.Continuation
  ) {
    self.subsystems = subsystems
    self.roots = roots
    mailbox = DeviceMailbox(signal)
  }

  /// Opens the socket, and watches what can make its events incomplete.
  ///
  /// - Throws: What keeps the socket from being opened.
  func start() throws(Errno) {
    // What makes a loss known comes first. Without these sources less is known, and no event lost.
    let mailbox = mailbox
    let daemon = try? DaemonWatch.source(in: "\(roots.run)/udev") { mailbox.lose(.daemon) }
    let sleep = try? SleepWatch.source { mailbox.lose(.sleep) }
    for source in [daemon, sleep].compactMap(\.self) {
      guard let registration = try? EventLoop.shared.watch(source) else { continue }
      keep { $0.others.append(registration) }
    }
    try openSocket()
  }

  /// Opens another socket in place of the one before.
  ///
  /// It receives from the daemon, and from the kernel where no daemon runs.
  func openSocket() throws(Errno) {
    let hasDaemon = UdevDatabase(roots: roots).hasControl ?? true
    let receiver = try DeviceReceiver(
      of: subsystems, from: hasDaemon ? .daemon : .kernel, into: mailbox)
    let registration = try EventLoop.shared.watch(receiver)
    keep { $0.socket = registration }
  }

  /// Closes everything; a second time does nothing.
  func end() {
    let all = state.withLock { state in
      state.isOver = true
      let all = [state.socket].compactMap(\.self) + state.others
      (state.socket, state.others) = (nil, [])
      return all
    }
    for registration in all { registration.cancel() }
  }

  /// Keeps a registration unless the session is over, which frees it.
  private func keep(_ body: (inout State) -> Void) {
    let before = state.withLock { state in
      let before = state.socket
      if !state.isOver { body(&state) }
      return before
    }
    // The one that was replaced ends outside of the lock.
    _ = before
  }
}
