internal import AccessModel

/// What happens to devices, from the moment the monitor is made.
///
/// It opens a socket of its own, which closes when the task that iterates is cancelled, and when
/// the monitor and its iterators are gone. All monitors of a process share one thread, which
/// sleeps while nothing happens.
///
/// Events wait for a slow consumer. Those of one device are merged: a device that went and came
/// again is told as both, all else by its last event. Where events were lost nonetheless, a notice
/// says so, and the devices have to be listed again; ``DeviceChanges`` does that.
///
/// One consumer may iterate at a time. A process in a network namespace of its own receives
/// nothing. Where no udev daemon runs, the kernel's own events are received, which come before a
/// node has its owner and access list.
public struct DeviceMonitor: AsyncSequence, Sendable {
  public typealias Element = DeviceNotice
  public typealias Failure = DeviceError

  private let session: DeviceMonitorSession
  private let signals: AsyncStream<Void>

  /// Starts to receive.
  ///
  /// - Parameters:
  ///   - subsystems: The subsystems in udev's words; those of all kinds unless given.
  ///   - roots: Where the state of the udev daemon is.
  /// - Throws: `unavailable` when no events can be received, `exhausted` without descriptors.
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

  /// Takes notices one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let session: DeviceMonitorSession
    var signals: AsyncStream<Void>.Iterator

    /// Waits for the next notice.
    ///
    /// - Throws: `unavailable` or `exhausted` when another socket is needed and cannot be opened.
    /// - Returns: The notice; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> DeviceNotice? {
      while !Task.isCancelled {
        if let notice = session.mailbox.take() {
          try replaceSocket(after: notice)
          return notice
        }
        guard await signals.next(isolation: actor) != nil else { break }
      }
      session.end()
      return nil
    }

    /// What hears nothing any more, or the wrong sender, is replaced before the devices are listed.
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
