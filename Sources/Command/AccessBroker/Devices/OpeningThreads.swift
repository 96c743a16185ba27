package import AccessModel
internal import Glibc
package import LinuxDevices
package import MessageBus
internal import Synchronization

/// Opens devices on separate threads, a few at a time.
///
/// A driver may wait in open(2), regardless of the flags, for its firmware or for hardware that
/// does not answer. A thread that waits there cannot be ended, and counts towards the limits until
/// open(2) returns.
package final class OpeningThreads: Sendable {
  /// A function that opens a held node on one of the threads.
  package typealias Open =
    @Sendable (
      _ node: borrowing PinnedNode, _ wanted: Permissions, _ path: String
    ) throws(GrantError) -> DeviceDescriptor

  /// The result of a job.
  struct Finished {
    let ticket: UInt64
    let result: Result<BusDescriptor, BrokerRefusal>
  }

  private struct State {
    var running: [DeviceNumber: Int] = [:]
    /// The jobs whose results the broker waits for.
    var awaited: Set<UInt64> = []
    var finished: [Finished] = []
  }

  let open: Open
  /// Wakes the thread that takes the finished jobs.
  let wake: BusWake
  private let limit: Int
  private let limitOfDevice: Int
  private let state = Mutex(State())

  /// Creates a pool in which no threads are running yet.
  ///
  /// - Parameters:
  ///   - limits: The maximum numbers of threads, for one device and in total.
  ///   - open: Opens a held node.
  /// - Throws: A system error, such as `EMFILE`.
  package init(
    _ limits: BrokerLimits = BrokerLimits(),
    open: @escaping Open = { (node, wanted, path) throws(GrantError) in
      try node.open(for: wanted, calledBy: path)
    }
  ) throws(BusFailure) {
    limit = limits.openings
    limitOfDevice = limits.openingsOfDevice
    self.open = open
    wake = try BusWake()
  }

  /// The number of running threads.
  package var count: Int { state.withLock { $0.running.values.reduce(0, +) } }

  /// Runs a job that opens a device on a new thread.
  ///
  /// - Parameters:
  ///   - ticket: The number of the job, which must differ from all awaited ones.
  ///   - device: The device to open. The threads for one device are limited, so a device that hangs
  ///     cannot use up all threads.
  ///   - work: Opens the device.
  /// - Throws: `tooManyRequests` if no thread is free, and `failed` if the system cannot create a
  ///   thread.
  func start(
    _ ticket: UInt64, _ device: DeviceNumber,
    _ work: @escaping @Sendable () throws(BrokerRefusal) -> BusDescriptor
  ) throws(BrokerRefusal) {
    let isFree = state.withLock { state in
      guard state.running.values.reduce(0, +) < limit,
        state.running[device, default: 0] < limitOfDevice
      else { return false }
      state.running[device, default: 0] += 1
      state.awaited.insert(ticket)
      return true
    }
    guard isFree else {
      throw BrokerRefusal(.tooManyRequests, "busy: too many devices are being opened")
    }
    guard
      Self.detach({ [self] in
        do throws(BrokerRefusal) {
          end(ticket, device, .success(try work()))
        } catch {
          end(ticket, device, .failure(error))
        }
      })
    else {
      state.withLock { state in
        state.awaited.remove(ticket)
        Self.leave(device, &state)
      }
      throw BrokerRefusal(.failed, "no thread can be created to open it")
    }
  }

  /// Stops waiting for a job; if its thread is still opening the device, the thread then closes it
  /// again.
  func forget(_ ticket: UInt64) {
    state.withLock { state in
      state.awaited.remove(ticket)
      state.finished.removeAll { $0.ticket == ticket }
    }
  }

  /// Returns the awaited jobs that have ended since the last call.
  func takeFinished() -> [Finished] {
    state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
  }

  /// Records the result of a job.
  ///
  /// Only the thread holds the descriptor of a forgotten job. It closes the descriptor when it
  /// returns, because a driver may wait in close(2) too.
  private func end(
    _ ticket: UInt64, _ device: DeviceNumber, _ result: Result<BusDescriptor, BrokerRefusal>
  ) {
    let isAwaited = state.withLock { state in
      Self.leave(device, &state)
      guard state.awaited.remove(ticket) != nil else { return false }
      state.finished.append(Finished(ticket: ticket, result: result))
      return true
    }
    if isAwaited { wake.signal() }
  }

  private static func leave(_ device: DeviceNumber, _ state: inout State) {
    let left = state.running[device, default: 1] - 1
    state.running[device] = left > 0 ? left : nil
  }

  /// Runs a body on a new thread, and returns whether the thread was created.
  private static func detach(_ run: @escaping @Sendable () -> Void) -> Bool {
    let context = unsafe Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if failure == 0 { pthread_detach(thread) } else { unsafe context.release() }
    return failure == 0
  }

  /// The body of a thread, as an object that C code can reference.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
