package import AccessModel
internal import Synchronization

/// An asynchronous sequence of device events, which begins when the monitor is created.
///
/// Each monitor has its own socket. The socket closes when the task that iterates is cancelled, or
/// when the monitor and its iterators are released. All monitors of a process share one thread,
/// which sleeps while there are no events.
///
/// Pending events of the same device are merged. If a device was removed and added again, both
/// events are delivered; otherwise, only the last one is. If events are lost, the monitor delivers
/// a notice, and the devices must be listed again. ``DeviceChanges`` does that.
///
/// Only one consumer may iterate at a time. A process in its own network namespace receives no
/// events. If no udev daemon runs, the monitor delivers the kernel's events, which occur before the
/// node has its final owner and ACL.
public struct DeviceMonitor: AsyncSequence, Sendable {
  public typealias Element = DeviceNotice
  public typealias Failure = DeviceError

  private let session: DeviceMonitorSession
  private let signals: AsyncStream<Void>

  /// Creates a monitor and starts receiving events.
  ///
  /// - Parameters:
  ///   - subsystems: The udev names of the subsystems, by default those of all device kinds.
  ///   - roots: The directories that contain the state of the udev daemon.
  /// - Throws: `unavailable` if events cannot be received, `exhausted` if there are too few
  ///   descriptors.
  public init(
    of subsystems: Set<String>? = nil, roots: MachineRoots = MachineRoots()
  ) throws(DeviceError) {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    session = DeviceMonitorSession(
      subsystems ?? Set(DeviceKind.all.compactMap(\.subsystem)), roots: roots, signal)
    self.signals = signals
    do throws(Errno) {
      try session.start()
    } catch {
      session.end()
      throw Self.failure(error)
    }
    signal.onTermination = { [weak session] _ in session?.end() }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(session: session, signals: signals.makeAsyncIterator())
  }

  /// An iterator that returns one notice at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let session: DeviceMonitorSession
    var signals: AsyncStream<Void>.Iterator

    /// Waits for the next notice.
    ///
    /// - Throws: `unavailable` or `exhausted` if a replacement socket is needed and cannot be
    ///   opened.
    /// - Returns: The notice; `nil` after the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> DeviceNotice? {
      while !Task.isCancelled {
        if let notice = session.take() {
          try replaceSocket(after: notice)
          return notice
        }
        guard await signals.next(isolation: actor) != nil else { break }
      }
      session.end()
      return nil
    }

    /// Replaces a socket that failed or has the wrong sender, before the consumer lists the
    /// devices.
    private func replaceSocket(after notice: DeviceNotice) throws(DeviceError) {
      guard notice == .lost(.socket) || notice == .lost(.daemon) else { return }
      do throws(Errno) {
        try session.openSocket()
      } catch {
        session.end()
        throw DeviceMonitor.failure(error)
      }
    }
  }

  private static func failure(_ error: Errno) -> DeviceError {
    DeviceError(
      error.isOfResources ? .exhausted : .unavailable, operation: "receive device events",
      errno: error)
  }
}

/// An element of a ``DeviceMonitor``.
public enum DeviceNotice: Hashable, Sendable {
  /// A device had an event.
  case event(DeviceEvent)
  /// Events may have been missed, for the given reason.
  case lost(DeviceLoss)
}

/// The reason why device events may have been missed, so that the devices must be listed again.
public enum DeviceLoss: String, Hashable, Sendable, CaseIterable {
  /// The kernel dropped events because its queue was full (`ENOBUFS`).
  case overflow
  /// A slow consumer had pending events for too many devices.
  case backlog
  /// The socket failed and was replaced.
  case socket
  /// The system was suspended.
  case sleep
  /// The udev daemon started, stopped or restarted.
  case daemon
}

/// The event sources of one monitor.
package final class DeviceMonitorSession: Sendable {
  private struct State {
    var socket: WatchRegistration?
    var others: [WatchRegistration] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let subsystems: Set<String>
  private let roots: MachineRoots
  let mailbox: DeviceNoticeQueue

  package init(
    _ subsystems: Set<String>, roots: MachineRoots, _ signal: AsyncStream<Void>.Continuation
  ) {
    self.subsystems = subsystems
    self.roots = roots
    mailbox = DeviceNoticeQueue(signal)
  }

  /// Opens the socket, and watches for reasons why events could be missed.
  ///
  /// - Throws: The error from opening the socket.
  package func start() throws(Errno) {
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
  package func openSocket() throws(Errno) {
    let receiver = try DeviceReceiver(
      of: subsystems, from: hasDaemon ?? true ? .daemon : .kernel, into: mailbox)
    let registration = try EventLoop.shared.watch(receiver)
    keep { $0.socket = registration }
  }

  /// A Boolean value that indicates whether the udev daemon runs; `nil` if this is unknown.
  package var hasDaemon: Bool? { UdevDatabase(roots: roots).hasControl }

  /// Removes and returns the next notice; `nil` if none is pending.
  package func take() -> DeviceNotice? { mailbox.take() }

  /// Cancels all sources; further calls have no effect.
  package func end() {
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

/// Passes notices from the event loop to a consumer.
final class DeviceNoticeQueue: Sendable {
  private let backlog = Mutex(DeviceBacklog())
  private let signal: AsyncStream<Void>.Continuation

  init(_ signal: AsyncStream<Void>.Continuation) {
    self.signal = signal
  }

  func add(_ event: DeviceEvent) {
    backlog.withLock { $0.add(event) }
    signal.yield()
  }

  func lose(_ reason: DeviceLoss) {
    backlog.withLock { $0.lose(reason) }
    signal.yield()
  }

  /// Removes and returns the next notice; `nil` if none is pending.
  func take() -> DeviceNotice? {
    backlog.withLock { $0.take() }
  }
}

/// The notices that a consumer has not received yet, at most two for each device.
struct DeviceBacklog {
  /// The maximum number of devices with pending events.
  ///
  /// If there are more, a single loss replaces all pending events.
  static let capacity = 4096

  private var loss: DeviceLoss?
  /// The devices with pending events in the order of their first event, starting at index `start`.
  private var order: [String] = []
  private var start = 0
  private var events: [String: [DeviceEvent]] = [:]

  /// Adds an event and merges it with the pending events of its device.
  ///
  /// If a device was removed and added again, both events are kept. Otherwise, only the last event
  /// is kept.
  mutating func add(_ event: DeviceEvent) {
    let key = event.sysfsPath ?? "\(event.subsystem)/\(event.kernelName)"
    guard let waiting = events[key] else {
      guard events.count < Self.capacity else { return lose(.backlog) }
      order.append(key)
      events[key] = [event]
      return
    }
    var merged = event
    switch event.action {
    case .remove:
      events[key] = [event]
      return
    case .add: break
    default:
      // A consumer that has not received the device yet must receive it as added.
      if waiting.last?.action == .add { merged.action = .add }
    }
    events[key] = waiting.first?.action == .remove ? [waiting[0], merged] : [merged]
  }

  /// Replaces all pending events with a loss, after which the consumer lists all devices anyway.
  mutating func lose(_ reason: DeviceLoss) {
    loss = loss ?? reason
    order = []
    start = 0
    events = [:]
  }

  /// Removes and returns the next notice; `nil` if none is pending.
  mutating func take() -> DeviceNotice? {
    if let reason = loss {
      loss = nil
      return .lost(reason)
    }
    guard start < order.count, var waiting = events[order[start]] else { return nil }
    let event = waiting.removeFirst()
    if waiting.isEmpty {
      events[order[start]] = nil
      start += 1
      if start == order.count {
        order.removeAll(keepingCapacity: true)
        start = 0
      } else if start >= Self.capacity {
        order.removeFirst(start)
        start = 0
      }
    } else {
      events[order[start]] = waiting
    }
    return .event(event)
  }
}
