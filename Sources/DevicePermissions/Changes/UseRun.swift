internal import AccessModel
internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// The looks of one iteration over the users of devices, which end with it.
final class UseRun: Sendable {
  let watch: any UseWatch
  private let interval: Duration
  /// The process whose use does not count.
  private let ownProcess: Int32?
  private let deadline: Deadline?
  /// How much was looked lately.
  private let budget = Mutex(LookBudget())

  /// - Throws: `invalidPath` for a path that no system call would take.
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

  /// Whether the time is up, so that no look follows the next one.
  var isUp: Bool { deadline?.isUp ?? false }

  /// When the next look fits into the share of the time that looks may take; `nil` for now.
  var pauseEnd: ContinuousClock.Instant? {
    let time = budget.withLock { $0.earliest }
    return isUp || time <= .now ? nil : time
  }

  /// Waits until the next look fits into the share of the time that looks may take.
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
    // A look may be stopped, or sleep with the system, for hours: then it takes nothing from others.
    let time = min(ThreadTime.now - start, begin.duration(to: .now) - look.waited)
    budget.withLock { $0.add(time) }
    return look
  }
}
