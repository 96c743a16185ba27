import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Synchronization
import Testing

/// A machine that notes how it was looked at.
private final class NotingMachine: Machine {
  private let machine = Machines.laptop()
  private let looks = Mutex<[Question.NameLookup]>([])

  var names: [Question.NameLookup] { looks.withLock { $0 } }

  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    try machine.devices(of: kind)
  }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    looks.withLock { $0.append(question.names) }
    return try machine.facts(for: question)
  }

  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await machine.open(path, for: permissions)
  }

  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe {
    machine.probe(node, askedAs: path, for: permissions)
  }

  func events() throws(DeviceError) -> AsyncStream<DeviceEvent> { try machine.events() }
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
