package import AccessModel
internal import Glibc
package import LinuxDevices
package import MessageBus
internal import Synchronization

/// Opens devices on separate threads, a few at a time.
///
/// A driver may wait in open(2), whatever the flags, for its firmware or for hardware that does not
/// answer. A thread that waits there cannot be ended, and counts until open(2) returns.
package final class OpeningThreads: Sendable {
  /// A function that opens a held node on one of the threads.
  package typealias Open =
    @Sendable (
      _ node: borrowing PinnedNode, _ wanted: Permissions, _ path: String
    ) throws(GrantError) -> DeviceDescriptor

  /// The result of an order.
  struct Finished {
    let ticket: UInt64
    let result: Result<BusDescriptor, BrokerRefusal>
  }

  private struct State {
    var running: [DeviceNumber: Int] = [:]
    /// The orders whose results the broker waits for.
    var awaited: Set<UInt64> = []
    var finished: [Finished] = []
  }

  let open: Open
  /// Wakes the thread that takes the finished orders.
  let wake: BusWake
  private let limit: Int
  private let limitOfDevice: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limits: The maximum numbers of threads, for one device and in total.
  ///   - open: A function that opens a held node.
  /// - Throws: `EMFILE` and the like.
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

  /// Runs work that opens a device on a new thread.
  ///
  /// - Parameters:
  ///   - ticket: The number of the order, which must differ from all awaited ones.
  ///   - device: The device to open; one that hangs must not use up all threads.
  ///   - work: The work that opens the device.
  /// - Throws: `tooManyRequests` if no thread is free, and `failed` if the system creates none.
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

  /// Stops waiting for an order; its thread closes the device after opening it.
  func forget(_ ticket: UInt64) {
    state.withLock { state in
      state.awaited.remove(ticket)
      state.finished.removeAll { $0.ticket == ticket }
    }
  }

  /// Returns the awaited orders that have ended since the last call.
  func takeFinished() -> [Finished] {
    state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
  }

  /// Records the result of an order.
  ///
  /// Only the thread holds the descriptor of a forgotten order. It closes the descriptor when it
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

  /// The body of a thread, in an object that C can hold.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
