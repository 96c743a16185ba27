import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import TerminalScreen
import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(5))) struct `The store of top` {
  private typealias Store = Lego<TopBlueprint>

  private func store(
    of machine: InMemoryMachine, _ targets: [Question.Target] = [.kind(.camera), .kind(.serial)]
  ) -> Store {
    let questions = targets.map { TopQuestion(question: Question($0), isNamed: true) }
    return withContractors {
      $0.devices = DeviceService(machine: machine)
      $0.deviceUsage = DeviceUsageService(machine: machine)
    } operation: {
      Lego(
        TopDesign(style: .plain, size: .standard), blueprint: TopBlueprint(),
        adaptors: [TopAdaptor(questions)])
    }
  }

  /// Waits for a design; only the time limit of the test ends the wait.
  private func wait(_ store: Store, until isReached: @Sendable (TopDesign) -> Bool) async {
    for await design in store.designs where isReached(design) { return }
  }

  @Test func `follows devices, answers and users, and stops with the store`() async throws {
    let machine = Machines.desk()
    var store: Store? = self.store(of: machine)
    if let store {
      await wait(store) { $0.rows.count == 5 && $0.use != nil }
      machine.change { $0.setMode(0o666, of: "/dev/ttyUSB1") }
      await wait(store) { design in
        design.rows.contains { $0.path == "/dev/ttyUSB1" && $0.answer == .allowed }
      }
      machine.change { $0.removeDevice("/dev/ttyUSB0") }
      await wait(store) { design in !design.rows.contains { $0.path == "/dev/ttyUSB0" } }
      #expect(TopScreen(store.design).screen.text.contains("busy: cheese (4711)"))
      machine.change { $0.endProcess(4711) }
      await wait(store) { !TopScreen($0).screen.text.contains("cheese") }
      #expect(machine.watchCount > 0)
    }
    store = nil
    while machine.watchCount > 0 { await Task.yield() }
  }

  @Test func `follows a thousand devices, and keys act on them meanwhile`() async throws {
    let machine = Machines.rack(1000)
    let store = store(of: machine, [.kind(.serial)])
    await wait(store) { $0.rows.count == 1000 && $0.use?.devices.count == 1000 }
    store.build(.key(.end))
    #expect(store.design.line == 999)
    machine.change {
      $0.removeDevice("/dev/ttyUSB500")
      $0.hold("/dev/ttyUSB998", by: "picocom", pid: 7, user: "alice")
    }
    await wait(store) { $0.rows.count == 999 && $0.table.used == 1 }
    let text = TopScreen(store.design).screen.text
    #expect(text.contains("> /dev/ttyUSB999") && text.contains("in use: picocom (7)"))
    store.build(.key(.character("/")))
    for scalar in "usb99".unicodeScalars { store.build(.key(.character(scalar))) }
    #expect(store.design.table.entries.count == 11)
    store.build(.key(.home))
    #expect(TopScreen(store.design).screen.text.contains("> /dev/ttyUSB99 "))
  }

  @Test func `the answer that is shown in detail is followed, until it is left`() async throws {
    let machine = Machines.desk()
    let store = store(of: machine, [.kind(.serial)])
    // At this point, devices, answers and users are all watched.
    await wait(store) { $0.rows.count == 2 && $0.use != nil }
    let watches = machine.watchCount
    store.build(.key(.end))
    store.build(.key(.enter))
    await wait(store) { $0.detail?.answer?.explanation.answer == .refused }
    #expect(
      TopScreen(store.design).screen.text
        .contains("refused — read and write access to /dev/ttyUSB1"))
    machine.change { $0.setMode(0o666, of: "/dev/ttyUSB1") }
    await wait(store) { $0.detail?.answer?.explanation.answer == .allowed }
    store.build(.key(.escape))
    #expect(store.design.detail == nil)
    while machine.watchCount > watches { await Task.yield() }
  }

  @Test func `a camera that somebody begins to use is busy in its details, too`() async throws {
    let machine = Machines.desk()
    let store = store(of: machine, [.path("/dev/video10")])
    await wait(store) { $0.use != nil }
    store.build(.key(.enter))
    await wait(store) { $0.detail?.answer?.explanation.answer == .allowed }
    machine.change {
      $0.hold("/dev/video10", by: "zoom", pid: 99, user: "alice", DeviceHold(isMapped: true))
    }
    await wait(store) { $0.detail?.answer?.explanation.availability == .busy }
    #expect(TopScreen(store.design).screen.text.contains("zoom"))
  }

  @Test func `what is named and absent has a row, and its explanation`() async throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.run(as: "alice")
    }
    let store = store(of: machine, [.kind(.camera)])
    await wait(store) { $0.hasScanned }
    #expect(store.design.rows.map(\.answer) == [.absent])
    store.build(.key(.enter))
    await wait(store) { $0.detail?.answer != nil }
    #expect(TopScreen(store.design).screen.text.contains("absent"))
  }

  @Test func `a failure is told, and what was seen before stays`() async throws {
    let machine = BrokenMachine(
      error: DeviceError(.unavailable, operation: "list devices"))
    let store = withContractors {
      $0.devices = DeviceService(machine: machine)
      $0.deviceUsage = DeviceUsageService(machine: machine)
    } operation: {
      Lego(
        TopDesign(style: .plain, size: .standard), blueprint: TopBlueprint(),
        adaptors: [TopAdaptor([TopQuestion(question: Question(.kind(.camera)), isNamed: true)])])
    }
    await wait(store) { $0.failure != nil }
    #expect(!store.design.hasScanned)
    #expect(store.design.rows.isEmpty)
  }
}
