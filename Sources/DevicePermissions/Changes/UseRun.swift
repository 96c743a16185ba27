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

  /// Waits until the next look fits into the share of the time that looks may take.
  func pause() async {
    let time = budget.withLock { $0.earliest }
    guard !isUp, time > .now else { return }
    await Pause.wait(until: time)
  }

  @concurrent
  func look() async throws(DeviceError) -> UseLook {
    let start = ContinuousClock.now
    var look = try watch.look(pollingEvery: interval)
    if let ownProcess {
      for index in look.facts.devices.indices {
        look.facts.devices[index].holders.removeAll { $0.process.id == ownProcess }
      }
    }
    let waited = look.waited
    budget.withLock { $0.add(from: start.advanced(by: waited), to: .now) }
    return look
  }
}
