public import AccessModel
internal import Glibc
public import LinuxDevices
internal import Synchronization

/// An asynchronous sequence of the current users of devices, and then of each change to them.
///
/// While the consumer is busy, any number of events cause one further observation. In the long run,
/// the observations of each iteration use at most a fifth of a processor.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct UseChanges: AsyncSequence, Sendable {
  public typealias Element = UseChange
  public typealias Failure = DeviceError

  let machine: any Machine
  let targets: [Question.Target]
  let isByOthers: Bool
  let interval: Duration
  let limit: Duration?

  package init(
    machine: any Machine, targets: [Question.Target], isByOthers: Bool, interval: Duration,
    limit: Duration?
  ) {
    self.machine = machine
    self.targets = targets
    self.isByOthers = isByOthers
    self.interval = interval
    self.limit = limit
  }

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let changes: UseChanges
    private var run: UseRun?
    private var last: UseScan?
    /// The devices that were removed while they were open, the most recent last.
    ///
    /// A program that kept such a device open has not opened it again when its node returns.
    private var gone: [DeviceUse] = []
    /// The maximum number of entries in `gone`; a device that returns usually does so soon.
    private static let mostGone = 64
    /// The timer that triggers another attempt after a failure.
    private var retry: OneShotTimer?
    /// A Boolean value that indicates whether no further observation follows.
    private var isOver = false

    init(_ changes: UseChanges) { self.changes = changes }

    /// Waits until a program starts or stops using a device, or until ``UseChange/absentPaths`` or
    /// ``UseChange/gaps`` change.
    ///
    /// The first element is the current state.
    ///
    /// - Throws: The errors of ``Machine/use(of:)``, after which the sequence ends. A
    ///   path that leads nowhere is not an error, but appears in ``UseChange/absentPaths``; after
    ///   the first observation, so does a path that leads to something other than a device. If
    ///   descriptors, memory or a source of facts are missing in an observation after the first
    ///   one, the sequence tries again after each interval, and the gaps report the failure.
    /// - Returns: The change; `nil` if the time limit has passed, if the task was cancelled, or if
    ///   there are no devices in question.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> UseChange? {
      var isLast = true
      defer { if isLast { end() } }
      let change = try await scanNext(isolation: actor)
      isLast = change == nil
      return change
    }

    /// Observes the current users; ``next(isolation:)`` returns the changes from then on.
    ///
    /// If only this observation sees a program using a device, ``next(isolation:)`` reports that
    /// the program stopped.
    ///
    /// - Throws: The same errors as ``next(isolation:)``.
    /// - Returns: The users of the devices; `nil` before the first change and after the last.
    package mutating func scanAgain() async throws(DeviceError) -> UseChange? {
      guard let run, let before = last else { return nil }
      do throws(DeviceError) {
        let scan = try await run.scan()
        if let change = take(scan) { return change }
      } catch {
        guard error.mayPass else { throw error }
        retry = OneShotTimer(until: .now.advanced(by: changes.interval)) { run.watch.wake() }
        if let change = take(error) { return change }
        return UseChange(
          facts: before.facts.inDoubt, absentPaths: before.absentPaths, gaps: before.gaps)
      }
      return last.map { UseChange(facts: $0.facts, absentPaths: $0.absentPaths, gaps: $0.gaps) }
    }

    /// Stops watching, even if this iterator still exists.
    private mutating func end() {
      isOver = true
      run = nil
      retry = nil
    }

    private mutating func scanNext(
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
          let scan = try await run.scan()
          retry = nil
          if let change = take(scan) { return change }
        } catch {
          guard !isOver, error.mayPass, last != nil else { throw error }
          retry = OneShotTimer(until: .now.advanced(by: changes.interval)) { run.watch.wake() }
          if let change = take(error) { return change }
        }
      }
      return nil
    }

    /// Returns the change after a failed observation: new gaps, facts in doubt and no events, or
    /// `nil` if the gaps are the same.
    private mutating func take(_ error: DeviceError) -> UseChange? {
      let reason = error.errno?.reason ?? error.code.description
      let gaps = [Unobserved("open-events", at: error.path, reason: reason)]
      guard let before = last, before.gaps != gaps else { return nil }
      last?.gaps = gaps
      return UseChange(
        facts: before.facts.inDoubt, events: [], isFirst: false, absentPaths: before.absentPaths,
        gaps: gaps)
    }

    /// Returns the change since the previous observation; `nil` if there is none.
    private mutating func take(_ scan: UseScan) -> UseChange? {
      let before = last
      var scan = scan
      if let before {
        scan.facts.keepDirections(of: before.facts)
        scan.facts.keepHidden(of: before.facts)
      }
      let events = before.map { scan.facts.events(since: $0.facts, recalling: gone) } ?? []
      let removed = events.filter { $0.action == .removed && $0.device.isHeld }.map(\.device)
      gone = Array((gone + removed).suffix(Self.mostGone))
      last = scan
      if let before, events.isEmpty, before.gaps == scan.gaps,
        before.absentPaths == scan.absentPaths
      {
        return nil
      }
      return UseChange(
        facts: scan.facts, events: events, isFirst: before == nil, absentPaths: scan.absentPaths,
        gaps: scan.gaps)
    }
  }
}

/// The users of some devices, and what has changed.
public struct UseChange: Hashable, Sendable {
  /// The users of the devices that exist.
  public var facts: UseFacts
  /// The events since the previous element, in the order in which they are reported.
  ///
  /// The array is empty for the first element, and if only ``absentPaths`` or ``gaps`` changed.
  public var events: [UseEvent]
  /// A Boolean value that indicates whether this is the first element, which is the initial state.
  public var isFirst: Bool
  /// The paths that lead to no device now.
  ///
  /// Another object, such as a regular file, may be at the path. If a device appears there, the
  /// next element reports it.
  public var absentPaths: [String]
  /// The objects that send no events and are polled instead, each with the reason.
  ///
  /// If an observation fails, the array contains the reason for the failure instead.
  public var gaps: [Unobserved]

  /// Creates a change, for example to test the code that handles changes.
  public init(
    facts: UseFacts, events: [UseEvent] = [], isFirst: Bool = false, absentPaths: [String] = [],
    gaps: [Unobserved] = []
  ) {
    self.facts = facts
    self.events = events
    self.isFirst = isFirst
    self.absentPaths = absentPaths
    self.gaps = gaps
  }
}

/// The watch of one iteration over the users of devices, with its time limit and its budget.
final class UseRun: Sendable {
  let watch: any UseWatch
  private let interval: Duration
  /// The process whose use is not counted.
  private let ownProcess: Int32?
  private let deadline: Deadline?
  /// The budget for observations.
  private let budget = Mutex(ScanBudget())

  /// Starts watching the devices.
  ///
  /// - Throws: `invalidPath` if no system call accepts one of the paths.
  init(_ changes: UseChanges) throws(DeviceError) {
    let targets = try LinuxMachine.absolute(changes.targets)
    let machine = changes.machine
    let watch: any UseWatch
    do throws(DeviceError) {
      watch = try machine.watchUse(of: targets)
    } catch {
      watch = PollingUseWatch(machine, targets, because: error.description)
    }
    self.watch = watch
    interval = changes.interval
    ownProcess = changes.isByOthers && machine is LinuxMachine ? getpid() : nil
    deadline = changes.limit.map { Deadline(after: $0) { watch.wake() } }
  }

  /// A Boolean value that indicates whether the time limit has passed, so the next observation is
  /// the last.
  var isUp: Bool { deadline?.isUp ?? false }

  /// The time at which the budget allows the next observation; `nil` if it may start now.
  var pauseEnd: ContinuousClock.Instant? {
    let time = budget.withLock { $0.earliest }
    return isUp || time <= .now ? nil : time
  }

  /// Waits until the budget allows the next observation.
  func pause() async {
    if let pauseEnd { await OneShotTimer.wait(until: pauseEnd) }
  }

  @concurrent
  func scan() async throws(DeviceError) -> UseScan {
    let begin = ContinuousClock.now
    let start = ThreadTime.now
    var scan = try watch.scan(pollingEvery: interval)
    if let ownProcess {
      for index in scan.facts.devices.indices {
        scan.facts.devices[index].holders.removeAll { $0.process.id == ownProcess }
      }
    }
    // Do not charge the time during which the observation waited, or was stopped or suspended.
    let time = min(ThreadTime.now - start, begin.duration(to: .now) - scan.waited)
    budget.withLock { $0.add(time) }
    return scan
  }
}
