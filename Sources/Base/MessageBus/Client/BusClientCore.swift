internal import Synchronization

/// The state that a client shares with the thread of its connection.
final class BusClientCore: Sendable {
  private let state = Mutex(BusClientState())
  private let wake: BusWake
  private let limits: BusLimits
  private let receiver: BusClient.Receiver

  /// The longest time for sending the remaining messages before the connection ends, in
  /// milliseconds.
  private static let lastMilliseconds: Int64 = 1_000

  init(_ limits: BusLimits, _ receiver: @escaping BusClient.Receiver) throws(BusFailure) {
    wake = try BusWake()
    self.limits = limits
    self.receiver = receiver
  }

  func stop() {
    state.withLock { $0.stop() }
    wake.signal()
  }

  func call(
    _ call: BusCall, within time: Duration, _ noting: (@Sendable (BusReply) -> Void)?
  ) async -> Result<BusReply, BusFailure> {
    let ticket = state.withLock { $0.ticket() }
    let deadline = ContinuousClock.now + time
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (caller: BusClientState.Caller) in
        let pending = BusClientState.Pending(
          call: call, deadline: deadline, noting: noting, caller: caller)
        if let failure = state.withLock({ $0.add(pending, ticket) }) {
          return caller.resume(returning: .failure(failure))
        }
        wake.signal()
        // The cancellation handler may have run before the call was added.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func leave(_ ticket: UInt64) {
    state.withLock { $0.leave(ticket) }?.resume(returning: .failure(.cancelled))
  }

  func ended() async -> BusFailure {
    let ticket = state.withLock { $0.ticket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (onlooker: BusClientState.Onlooker) in
        if let failure = state.withLock({ $0.add(onlooker, ticket) }) {
          return onlooker.resume(returning: failure)
        }
        if Task.isCancelled { leaveEnd(ticket) }
      }
    } onCancel: {
      leaveEnd(ticket)
    }
  }

  private func leaveEnd(_ ticket: UInt64) {
    state.withLock { $0.leaveEnd(ticket) }?.resume(returning: .cancelled)
  }

  // MARK: The thread of the connection

  /// Serves the connection until its end.
  func run(_ address: BusAddress) {
    let failure: BusFailure
    do throws(BusFailure) {
      try serve(address)
      failure = .closed
    } catch {
      failure = error
    }
    let (callers, onlookers) = state.withLock { $0.end(failure) }
    for caller in callers { caller.resume(returning: .failure(failure)) }
    for onlooker in onlookers { onlooker.resume(returning: failure) }
  }

  private func serve(_ address: BusAddress) throws(BusFailure) {
    let connection = try BusConnection(address)
    while true {
      let orders = state.withLock { $0.orders(at: .now) }
      for caller in orders.expired { caller.resume(returning: .failure(.timedOut)) }
      for (ticket, call) in orders.calls { send(call, ticket, connection) }
      if orders.isStopping { return try finish(connection) }
      let hasWorked = try connection.process { receive($0, connection) }
      if !hasWorked {
        try connection.wait(
          wake.reader, milliseconds: orders.deadline.map { Self.milliseconds(until: $0) })
        wake.drain()
      }
    }
  }

  private func send(_ call: BusCall, _ ticket: UInt64, _ connection: borrowing BusConnection) {
    do throws(BusFailure) {
      let cookie = try connection.send(call)
      state.withLock { $0.sent(ticket, cookie) }
    } catch {
      state.withLock { $0.take(ticket) }?.caller?.resume(returning: .failure(error))
    }
  }

  /// Sends the remaining messages, unless the bus does not accept them in time.
  private func finish(_ connection: borrowing BusConnection) throws(BusFailure) {
    let deadline = ContinuousClock.now + .milliseconds(Self.lastMilliseconds)
    while connection.hasUnsent, ContinuousClock.now < deadline {
      if try !connection.process({ _ in }) {
        try connection.wait(wake.reader, milliseconds: Self.milliseconds(until: deadline))
        wake.drain()
      }
    }
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int64 {
    let left = (deadline - .now).components
    return max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func receive(_ message: borrowing BusMessage, _ connection: borrowing BusConnection) {
    switch message.kind {
    case .reply, .error:
      guard let cookie = message.answered,
        let pending = state.withLock({ $0.take(answeredBy: cookie) })
      else { return }
      let result = reply(message)
      if case .success(let reply) = result { pending.noting?(reply) }
      pending.caller?.resume(returning: result)
    case .call:
      // A caller that has disconnected is not a failure of this connection.
      do throws(BusFailure) {
        try connection.answer(message, answer(message))
      } catch {}
    case .signal: hear(message)
    case nil: break
    }
  }

  private func reply(_ message: borrowing BusMessage) -> Result<BusReply, BusFailure> {
    guard message.kind == .reply else { return .failure(message.failure) }
    do throws(BusFailure) {
      return .success(BusReply(values: try message.arguments(limits), sender: message.sender))
    } catch {
      return .failure(error)
    }
  }

  /// Passes a signal to the receiver, without arguments if the signal exceeds the limits.
  ///
  /// Something may be waiting for the signal, so it is never dropped.
  private func hear(_ message: borrowing BusMessage) {
    do throws(BusFailure) {
      _ = receiver(try message.incoming(limits))
    } catch {
      _ = receiver(message.envelope(of: []))
    }
  }

  private func answer(_ message: borrowing BusMessage) -> BusAnswer {
    do throws(BusFailure) {
      return receiver(try message.incoming(limits))
    } catch {
      return .refusal("LimitsExceeded", error.description)
    }
  }
}
