import AccessModel
import DeviceAccessCommands
import DevicePermissionsTesting
import LinuxDevices
import Synchronization
import Testing

/// A machine that notes how it was looked at.
private final class NotingMachine: MachineWrapper {
  let wrapped: any Machine
  private let uses = Atomic(0)
  private let looks = Mutex<[Question.NameLookup]>([])

  init(running user: String = "alice") { wrapped = Machines.laptop(running: user) }

  var useCount: Int { uses.load(ordering: .relaxed) }

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    uses.add(1, ordering: .relaxed)
    return try wrapped.use(of: targets)
  }

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
      ([album], [.fewWhenRefused]), ([album, "--quiet"], [.fewWhenRefused]),
      (["/dev/video0"], [.fewWhenRefused]), ([album, "--json"], [.all]),
      ([album, "--probe"], [.few]),
      ([album, "--user", "alice"], [.few]), ([album, "--groups", "+video"], [.few]),
    ] as [([String], [Question.NameLookup])])
  func `the machine is observed once, with the names that the answer needs`(
    arguments: [String], names: [Question.NameLookup]
  ) async {
    let machine = NotingMachine()
    _ = await CommandResult.run(["check"] + arguments, on: machine)
    #expect(machine.names == names)
  }

  @Test(arguments: [[], ["--wait=0", "--free"], ["--json"]])
  func `an allowed camera is observed once, and its users too`(options: [String]) async {
    let machine = NotingMachine(running: "bob")
    let result = await CommandResult.run(["check", "camera"] + options, on: machine)
    #expect(result.status == .allowed)
    #expect(machine.names.count == 1)
    #expect(machine.useCount == 1)
  }

  @Test func `the users of a refused camera are not observed`() async {
    let machine = NotingMachine()
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
