internal import AccessModel
internal import Synchronization

/// The event sources of one monitor.
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

  /// Opens the socket, and watches for reasons why events could be missed.
  ///
  /// - Throws: The error from opening the socket.
  func start() throws(Errno) {
    // The sources that detect a loss come first. Without them some losses go unnoticed, but no
    // event is lost.
    let mailbox = mailbox
    let daemon = try? DaemonWatch.source(in: "\(roots.run)/udev") { mailbox.lose(.daemon) }
    let sleep = try? SleepWatch.source { mailbox.lose(.sleep) }
    for source in [daemon, sleep].compactMap(\.self) {
      guard let registration = try? EventLoop.shared.watch(source) else { continue }
      keep { $0.others.append(registration) }
    }
    try openSocket()
  }

  /// Opens a socket and replaces the previous one.
  ///
  /// The socket receives events from the udev daemon, or from the kernel if no daemon runs.
  func openSocket() throws(Errno) {
    let hasDaemon = UdevDatabase(roots: roots).hasControl ?? true
    let receiver = try DeviceReceiver(
      of: subsystems, from: hasDaemon ? .daemon : .kernel, into: mailbox)
    let registration = try EventLoop.shared.watch(receiver)
    keep { $0.socket = registration }
  }

  /// Cancels all sources; further calls have no effect.
  func end() {
    let all = state.withLock { state in
      state.isOver = true
      let all = [state.socket].compactMap(\.self) + state.others
      (state.socket, state.others) = (nil, [])
      return all
    }
    for registration in all { registration.cancel() }
  }

  /// Stores a registration, or releases it if the session has ended.
  private func keep(_ body: (inout State) -> Void) {
    let before = state.withLock { state in
      let before = state.socket
      if !state.isOver { body(&state) }
      return before
    }
    // The replaced registration is released outside of the lock.
    _ = before
  }
}
