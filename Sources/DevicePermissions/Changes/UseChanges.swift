internal import AccessModel
public import LinuxDevices

/// Who uses devices: as it is now, and from then on each time somebody began or stopped.
///
/// While the consumer is busy any number of events make one further look. Looks take a fifth of a
/// processor's time at most in the long run, those of each iteration by themselves.
///
/// Everything ends when the iterating task is cancelled, and when the iterator goes away.
public struct UseChanges: AsyncSequence, Sendable {
  public typealias Element = UseChange
  public typealias Failure = DeviceError

  let machine: any Machine
  let targets: [Question.Target]
  let isByOthers: Bool
  let interval: Duration
  let limit: Duration?

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Takes changes one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let changes: UseChanges
    private var run: UseRun?
    private var last: UseLook?
    /// Devices that went while somebody had them open, the latest last: whoever keeps one open did not
    /// open it when its node is back.
    private var gone: [DeviceUse] = []
    /// A device that comes back does so soon.
    private static let mostGone = 64
    /// What has a look tried again.
    private var retry: Pause?
    /// Whether the look before was the last one.
    private var isOver = false

    init(_ changes: UseChanges) { self.changes = changes }

    /// Waits until somebody begins or stops to use a device.
    ///
    /// - Throws: What ``DeviceUsageService/use(of:)`` throws; then it is over. A path that leads nowhere, or
    ///   after the first look to something that is no device, is no error, but one of
    ///   ``UseChange/absentPaths``. Where a look after others lacks descriptors, memory or a source, it is
    ///   tried again after an interval, which the gaps say.
    /// - Returns: The change; `nil` once the time is up or the task cancelled, and where no device is
    ///   asked about.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> UseChange? {
      var isLast = true
      defer { if isLast { end() } }
      let change = try await lookNext(isolation: actor)
      isLast = change == nil
      return change
    }

    /// Looks as it is now; ``next(isolation:)`` tells what changes from then on.
    ///
    /// What was there for a moment, during this look alone, is told to be over.
    ///
    /// - Throws: As ``next(isolation:)``.
    /// - Returns: Who uses the devices; `nil` before the first change, and when it is over.
    package mutating func lookAgain() async throws(DeviceError) -> UseChange? {
      guard let run, let before = last else { return nil }
      do throws(DeviceError) {
        let look = try await run.look()
        if let change = take(look) { return change }
      } catch {
        guard error.mayPass else { throw error }
        retry = Pause(until: .now.advanced(by: changes.interval)) { run.watch.wake() }
        if let change = take(error) { return change }
        return UseChange(
          facts: before.facts.inDoubt, absentPaths: before.absentPaths, gaps: before.gaps)
      }
      return last.map { UseChange(facts: $0.facts, absentPaths: $0.absentPaths, gaps: $0.gaps) }
    }

    /// Ends the watch, also where somebody keeps this iterator.
    private mutating func end() {
      isOver = true
      run = nil
      retry = nil
    }

    private mutating func lookNext(
      isolation actor: isolated (any Actor)?
    ) async throws(DeviceError) -> UseChange? {
      while !isOver, !Task.isCancelled, !changes.targets.isEmpty {
        let run = if let run { run } else { try UseRun(changes) }
        if self.run != nil, !run.isUp {
          var signals = run.watch.signals.makeAsyncIterator()
          guard await signals.next(isolation: actor) != nil else { return nil }
          await run.pause()
        }
        self.run = run
        isOver = run.isUp
        do throws(DeviceError) {
          let look = try await run.look()
          retry = nil
          if let change = take(look) { return change }
        } catch {
          guard !isOver, error.mayPass, last != nil else { throw error }
          retry = Pause(until: .now.advanced(by: changes.interval)) { run.watch.wake() }
          if let change = take(error) { return change }
        }
      }
      return nil
    }

    /// What a look that failed adds to the one before: that nothing is known for now, and no event.
    private mutating func take(_ error: DeviceError) -> UseChange? {
      let reason = error.errno?.reason ?? error.code.description
      let gaps = [Unobserved("open-events", at: error.path, reason: reason)]
      guard let before = last, before.gaps != gaps else { return nil }
      last?.gaps = gaps
      return UseChange(
        facts: before.facts.inDoubt, events: [], isFirst: false, absentPaths: before.absentPaths,
        gaps: gaps)
    }

    /// What a look adds to the one before; `nil` for nothing.
    private mutating func take(_ look: UseLook) -> UseChange? {
      let before = last
      var look = look
      if let before {
        look.facts.keepDirections(of: before.facts)
        look.facts.keepHidden(of: before.facts)
      }
      let events = before.map { look.facts.events(since: $0.facts, recalling: gone) } ?? []
      let removed = events.filter { $0.action == .removed && $0.device.isHeld }.map(\.device)
      gone = Array((gone + removed).suffix(Self.mostGone))
      last = look
      if let before, events.isEmpty, before.gaps == look.gaps,
        before.absentPaths == look.absentPaths
      {
        return nil
      }
      return UseChange(
        facts: look.facts, events: events, isFirst: before == nil, absentPaths: look.absentPaths,
        gaps: look.gaps)
    }
  }
}
