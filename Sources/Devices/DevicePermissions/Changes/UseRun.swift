internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// The watch of one iteration over the users of devices, with its time limit and its budget.
final class UseRun: Sendable {
  let watch: any UseWatch
  private let interval: Duration
  /// The process whose use is not counted.
  private let ownProcess: Int32?
  private let deadline: Deadline?
  /// The budget for observations.
  private let budget = Mutex(LookBudget())

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
    if let pauseEnd { await Pause.wait(until: pauseEnd) }
  }

  @concurrent
  func look() async throws(DeviceError) -> UseLook {
    let begin = ContinuousClock.now
    let start = ThreadTime.now
    var look = try watch.look(pollingEvery: interval)
    if let ownProcess {
      for index in look.facts.devices.indices {
        look.facts.devices[index].holders.removeAll { $0.process.id == ownProcess }
      }
    }
    // Do not charge the time during which the observation waited, or was stopped or suspended.
    let time = min(ThreadTime.now - start, begin.duration(to: .now) - look.waited)
    budget.withLock { $0.add(time) }
    return look
  }
}
