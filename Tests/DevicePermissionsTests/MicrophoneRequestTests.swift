import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import LinuxTestSupport
import Testing

@Suite struct `A request for the microphone` {
  private func machine(
    groups: [String] = [], permitted: CapabilitySet = [], portal: InMemoryPortal? = nil,
    hasMicrophone: Bool = true
  ) -> InMemoryMachine {
    InMemoryMachine(portal: portal) {
      $0.addUser("alice", id: 1000, groups: groups)
      $0.addCamera()
      if hasMicrophone { $0.addMicrophone() }
      $0.run(as: "alice", permitted: permitted)
    }
  }

  @Test func `opens the node that captures, where it may be opened`() async {
    let machine = machine(groups: ["audio"])
    let service = PermissionsService(machine: machine)
    #expect(service.report(for: Question(.kind(.microphone))).status == .authorized)
    let answer = await service.request(AccessRequest(.microphone))
    #expect(answer.method == .authorized)
    #expect(answer.report.path == "/dev/snd/pcmC0D0c")
    #expect(machine.openedPaths == ["/dev/snd/pcmC0D0c"])
    guard let token = answer.token, let microphone: MicrophoneAccess = service.take(token) else {
      Issue.record("nothing was handed over")
      return
    }
    #expect(microphone.kind == .device(path: "/dev/snd/pcmC0D0c"))
  }

  @Test func `raises a permitted capability, and is remembered apart from the camera`() async {
    let machine = machine(permitted: [.overrideFileAccess])
    let service = PermissionsService(machine: machine)
    let question = Question(.kind(.microphone))
    #expect(service.report(for: question).status == .notDetermined)
    #expect(await service.requestMicrophoneAccess() == .authorized)
    #expect(machine.openedPaths == ["/dev/snd/pcmC0D0c"])
    #expect(service.report(for: question).status == .authorized)
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(await service.requestMicrophoneAccess() == .authorized)
    #expect(machine.openedPaths == ["/dev/snd/pcmC0D0c"])
    machine.change { $0.run(as: "alice") }
    #expect(service.report(for: question).status == .denied)
  }

  /// The camera portal would grant every request, but receives none.
  @Test func `is not answered by the portal of cameras`() async {
    let machine = machine(portal: InMemoryPortal(person: .granted))
    let service = PermissionsService(machine: machine)
    #expect(service.report(for: Question(.kind(.microphone))).status == .denied)
    let answer = await service.request(AccessRequest(.microphone))
    #expect(answer.method == nil)
    #expect(answer.trials.allSatisfy { $0.outcome == .unavailable })
    #expect(answer.report.status == .denied)
    #expect(answer.settings != nil)
    #expect(await service.requestMicrophoneAccess() == .denied)
    #expect(machine.openedPaths.isEmpty)
  }

  @Test func `tells that there is none`() async {
    let answer = await PermissionsService(machine: machine(hasMicrophone: false)).request(
      AccessRequest(.microphone))
    #expect(answer.report.answer == .absent)
    #expect(answer.token == nil)
  }

  @Test(
    .machine {
      $0.addUser("alice", id: 1000, groups: ["audio"])
      $0.addMicrophone()
      $0.run(as: "alice")
    })
  func `arrives in a design`() async {
    let lego = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    #expect(lego.design.microphone == nil)
    await lego.build(.requestMicrophoneAccess).finished()
    #expect(lego.design.microphone == .authorized)
    await lego.build(.request(AccessRequest(.microphone))).finished()
    #expect(lego.design.microphoneReport?.path == "/dev/snd/pcmC0D0c")
    #expect(lego.design.microphoneReport?.certainty == .proven)
    #expect(lego.design.camera == nil)
  }

  @Test(
    .machine {
      $0.addUser("alice", id: 1000, groups: ["audio"])
      $0.addMicrophone()
      $0.run(as: "alice")
    })
  func `is kept true in a design while somebody looks`() async throws {
    let machine = try #require(MachineTrait.current)
    let lego = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    await lego.build(.requestPermissionStatus).finished()
    #expect(lego.design.microphone == .authorized)
    #expect(lego.design.camera == .absent)
    lego.build(.watch(true))
    machine.change { $0.setMode(0o600, of: "/dev/snd/pcmC0D0c") }
    #expect(await eventually { lego.design.microphone == .denied })
    machine.change { $0.setMode(0o660, of: "/dev/snd/pcmC0D0c") }
    #expect(await eventually { lego.design.microphone == .authorized })
    lego.build(.watch(false))
    await lego.close()
  }

  @Test func `is told beside camera and album when it changes`() async throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["audio"])
      $0.addMicrophone()
      $0.run(as: "alice")
    }
    var changes = PermissionsService(machine: machine).changes.makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.microphone.status == .authorized)
    machine.change { $0.setMode(0o600, of: "/dev/snd/pcmC0D0c") }
    let second = try #require(try await changes.next())
    #expect(second.microphone.status == .denied)
    #expect(second.camera == first.camera && second.album == first.album)
  }
}
