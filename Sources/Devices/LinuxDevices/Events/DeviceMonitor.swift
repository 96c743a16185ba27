internal import AccessModel

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

  /// Starts to receive events.
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
        if let notice = session.mailbox.take() {
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
