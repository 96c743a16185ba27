import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Synchronization
import Testing

/// A machine that notes how it was looked at.
private final class NotingMachine: MachineWrapper {
  let wrapped: any Machine = Machines.laptop()
  private let looks = Mutex<[Question.NameLookup]>([])

  var names: [Question.NameLookup] { looks.withLock { $0 } }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    looks.withLock { $0.append(question.names) }
    return try wrapped.facts(for: question)
  }
}

@Suite("What a check looks at")
struct CheckLookTests {
  private static let album = "/home/alice/Pictures"

  @Test(
    arguments: [
      ([album], [.none]), ([album, "--quiet"], [.none]), (["/dev/video0"], [.none, .few]),
      ([album, "--json"], [.all]), ([album, "--probe"], [.few]),
      ([album, "--user", "alice"], [.few]), ([album, "--groups", "+video"], [.few]),
    ] as [([String], [Question.NameLookup])])
  func `names are looked up where the answer needs them`(
    arguments: [String], names: [Question.NameLookup]
  ) async {
    let machine = NotingMachine()
    _ = await CommandResult.run(["check"] + arguments, on: machine)
    #expect(machine.names == names)
  }
}
