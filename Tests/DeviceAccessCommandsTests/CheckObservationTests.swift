import AccessModel
import DeviceAccessCommands
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization
import Testing

/// A machine that records how it was observed.
private final class RecordingMachine: MachineWrapper {
  let wrapped: any Machine
  private let uses = Atomic(0)
  private let lookups = Mutex<[Question.NameLookup]>([])

  init(running user: String = "alice") { wrapped = Machines.laptop(running: user) }

  var useCount: Int { uses.load(ordering: .relaxed) }

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    uses.add(1, ordering: .relaxed)
    return try wrapped.use(of: targets)
  }

  var names: [Question.NameLookup] { lookups.withLock { $0 } }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    lookups.withLock { $0.append(question.names) }
    return try wrapped.facts(for: question)
  }
}

@Suite("What a check observes")
struct CheckObservationTests {
  private static let album = "/home/alice/Pictures"

  @Test(
    arguments: [
      ([album], [.fewWhenRefused]), ([album, "--quiet"], [.fewWhenRefused]),
      (["/dev/video0"], [.fewWhenRefused]), ([album, "--json"], [.all]),
      ([album, "--probe"], [.few]), (["camera", "--free"], [.fewWhenRefused]),
      ([album, "--user", "alice"], [.few]), ([album, "--groups", "+video"], [.few]),
    ] as [([String], [Question.NameLookup])])
  func `the machine is observed once, with the names that the answer needs`(
    arguments: [String], names: [Question.NameLookup]
  ) async {
    let machine = RecordingMachine()
    _ = await CommandResult.run(["check"] + arguments, on: machine)
    #expect(machine.names == names)
  }

  @Test(arguments: [[], ["--wait=0", "--free"], ["--json"]])
  func `an allowed camera is observed once, and its users too`(options: [String]) async {
    let machine = RecordingMachine(running: "bob")
    let result = await CommandResult.run(["check", "camera"] + options, on: machine)
    #expect(result.status == .allowed)
    #expect(machine.names.count == 1)
    #expect(machine.useCount == 1)
  }

  @Test func `the users of a refused camera are not observed`() async {
    let machine = RecordingMachine()
    #expect(await CommandResult.run(["check", "camera"], on: machine).status == .refused)
    #expect(machine.useCount == 0)
  }

  @Test func `names and the session are in the facts only if access is refused`() throws {
    var question = Question(.path("/dev/video0"))
    question.names = .fewWhenRefused
    let refused = try Machines.laptop().facts(for: question)
    #expect(refused.account.user == "alice" && refused.session != nil)
    let allowed = try Machines.laptop(running: "bob").facts(for: question)
    #expect(allowed.account == AccountFacts() && allowed.session == nil)
  }
}
