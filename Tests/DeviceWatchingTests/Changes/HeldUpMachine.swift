import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization

/// A machine where each scan of device use is held up, as if the process were stopped.
final class HeldUpMachine: MachineWrapper {
  let wrapped: any Machine
  private let hold: @Sendable () -> Void

  init(_ machine: some Machine, _ hold: @escaping @Sendable () -> Void) {
    wrapped = machine
    self.hold = hold
  }

  func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    Watch(wrapped: try wrapped.watchUse(of: targets), hold: hold)
  }

  private final class Watch: UseWatch {
    let wrapped: any UseWatch
    let hold: @Sendable () -> Void

    init(wrapped: any UseWatch, hold: @escaping @Sendable () -> Void) {
      self.wrapped = wrapped
      self.hold = hold
    }

    var signals: AsyncStream<Void> { wrapped.signals }

    func wake() { wrapped.wake() }

    func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan {
      hold()
      return try wrapped.scan(pollingEvery: interval)
    }
  }
}
