import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization

/// A machine whose watch reports only the changes from a test, including changes to single
/// questions.
final class TellingMachine: MachineWrapper {
  let wrapped: any Machine
  private let changes = Mutex(WatchedChanges.none)
  private let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init(_ machine: InMemoryMachine) {
    wrapped = machine
    (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func tell(_ questions: TouchedQuestions) {
    changes.withLock { $0.formUnion(WatchedChanges(questions)) }
    continuation.yield()
  }

  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    Watch(of: self)
  }

  private final class Watch: MachineWatch {
    private let machine: TellingMachine

    init(of machine: TellingMachine) { self.machine = machine }

    var signals: AsyncStream<Void> { machine.signals }

    func wake() { machine.tell(.all) }

    func takeReportedChanges() -> WatchedChanges {
      machine.changes.withLock { changes in
        defer { changes = .none }
        return changes
      }
    }

    func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
      WatchCoverage(isNew: false)
    }
  }
}
