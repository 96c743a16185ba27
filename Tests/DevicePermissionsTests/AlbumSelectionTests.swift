import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LegoKit
import LinuxDevices
import LinuxTestSupport
import MachineSamples
import MessageBus
import Testing

@Suite struct `A selection from the album` {
  private static let folder = "/home/alice/Pictures"

  private func machine(
    _ reply: PortalFileReply
  ) -> (machine: InMemoryMachine, portal: InMemoryPortal) {
    let portal = InMemoryPortal(selection: reply)
    let machine = AlbumMachine.make(portal: portal) {
      $0.addDirectory(Self.folder, mode: 0o700, owner: "alice")
      $0.addFile("\(Self.folder)/mine.png", mode: 0o600, owner: "alice")
      $0.addFile("\(Self.folder)/fixed.png", mode: 0o444, owner: "bob")
      $0.addFile("\(Self.folder)/theirs.png", mode: 0o600, owner: "bob")
      $0.addLink("\(Self.folder)/link.png", to: "\(Self.folder)/mine.png")
    }
    return (machine, portal)
  }

  private func select(_ reply: PortalFileReply) async -> AlbumSelection {
    await PermissionsService(machine: machine(reply).machine).requestAlbumSelection()
  }

  @Test func `is the limited album: each file with what may be done with it`() async throws {
    let names = ["mine", "fixed", "theirs", "link", "none"]
    let unusable = UnusableURI("http://a", reason: "it is not a URI of the scheme file")
    let (machine, portal) = machine(
      PortalFileReply(
        choosing: names.map { "\(Self.folder)/\($0).png" } + [Self.folder, "/dev/null"],
        unusable: [unusable], isComplete: false))
    let service = PermissionsService(machine: machine)
    let selection = await service.requestAlbumSelection()
    #expect(selection.outcome == .granted)
    #expect(selection.answer == .allowed)
    #expect(selection.status == .limited)
    #expect(selection.reason == nil)
    let files = selection.files
    #expect(
      files.map(\.permissions) == [[.read, .write], [.read], [], [], [], [], []])
    #expect(files.prefix(2).map(\.reason) == [nil, nil])
    #expect(files[2].reason == "permission denied")
    #expect(files[3].reason == "it is a symbolic link")
    #expect(files[4].reason == "no such file or directory")
    #expect(files[5].reason == "it is a directory")
    #expect(selection.readable.map(\.name) == ["mine.png", "fixed.png"])
    #expect(selection.unusable == [unusable])
    #expect(!selection.isComplete)
    // The dialog opens in the album.
    #expect(portal.fileRequests.map(\.folder) == [Self.folder])
    #expect(portal.fileRequests.map(\.title) == ["Choose pictures"])
    // No camera dialog was shown.
    #expect(portal.dialogCount == 0)

    _ = try service.open(files[0], for: [.read, .write]).rawValue
    _ = try service.open(files[1]).rawValue
    for (file, wanted, code) in [
      (files[1], Permissions.write, AlbumError.Code.refused), (files[2], .read, .refused),
      (files[3], .read, .wrongObject), (files[4], .read, .absent), (files[5], .read, .wrongObject),
    ] {
      let error = #expect(throws: AlbumError.self) {
        _ = try service.open(file, for: wanted).rawValue
      }
      #expect(error?.code == code, "\(file)")
    }
  }

  @Test(arguments: [
    (
      PortalOutcome.refused, AccessTrial.Outcome.refused, Answer.refused,
      PermissionStatus.notDetermined
    ),
    (.interrupted, .refused, .refused, .notDetermined),
    (.forbidden, .forbidden, .refused, .restricted),
    (.absent("gone"), .unavailable, .absent, .absent),
    (.timedOut, .timedOut, .undetermined, .unknown),
    (.cancelled, .cancelled, .undetermined, .unknown),
    (.failed("broken"), .failed, .undetermined, .unknown),
  ])
  func `without files says why`(
    outcome: PortalOutcome, expected: AccessTrial.Outcome, answer: Answer, status: PermissionStatus
  ) async {
    let selection = await select(PortalFileReply(outcome))
    #expect(selection.outcome == expected)
    #expect(selection.answer == answer)
    #expect(selection.status == status)
    #expect(selection.files.isEmpty)
    #expect((selection.reason == nil) == (expected == .cancelled))
  }

  @Test func `of nothing that can be read is not allowed`() async {
    let nothing = await select(PortalFileReply(choosing: []))
    #expect(nothing.answer == .refused)
    #expect(nothing.status == .notDetermined)
    #expect(nothing.reason == "No file was chosen.")
    for reply in [
      PortalFileReply(choosing: ["\(Self.folder)/theirs.png"]),
      PortalFileReply(choosing: [], unusable: [UnusableURI("x:", reason: "no")]),
    ] {
      let selection = await select(reply)
      #expect(selection.answer == .refused)
      #expect(selection.status == .denied)
      #expect(selection.reason == "None of the chosen files can be read.")
    }
  }

  @Test func `takes a portal`() async {
    let selection = await PermissionsService(machine: AlbumMachine.make()).requestAlbumSelection()
    #expect(selection.outcome == .unavailable)
    #expect(selection.answer == .absent)
  }

  @Test func `hands on what the program asks for`() async {
    let (machine, portal) = machine(PortalFileReply(.refused))
    let request = AlbumSelectionRequest(
      title: "Faces", acceptLabel: "_Use", folder: "/srv", timeout: .seconds(5), application: "a.B")
    let selection = await PermissionsService(machine: machine).requestAlbumSelection(request)
    #expect(selection.request == request)
    #expect(
      portal.fileRequests == [
        PortalFileRequest(
          title: "Faces", acceptLabel: "_Use", folder: "/srv", timeout: .seconds(5),
          application: "a.B")
      ])
  }

  @Test func `does not change the status of the album`() async {
    let (machine, _) = machine(PortalFileReply(choosing: ["\(Self.folder)/mine.png"]))
    let service = PermissionsService(machine: machine)
    let before = service.report(for: AlbumAccessLevel.readWrite.question)
    _ = await service.requestAlbumSelection()
    #expect(service.report(for: AlbumAccessLevel.readWrite.question) == before)
  }

  @Test func `goes through a store`() async throws {
    let (machine, _) = machine(PortalFileReply(choosing: ["\(Self.folder)/mine.png"]))
    let lego = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      await lego.build(.requestAlbumSelection(AlbumSelectionRequest())).finished()
    }
    #expect(lego.design.albumSelection?.readable.map(\.name) == ["mine.png"])
    #expect(lego.design.album == nil)
  }
}

/// Uses a real kernel, a real bus and a real xdg-desktop-portal.
@Suite(.requiresPortal, .timeLimit(.minutes(5)))
struct `A selection by the portal of Debian` {
  @Test func `is checked by the kernel`() async throws {
    let home = try TemporaryDirectory()
    let picture = try home.file("Pictures/IMG 1.png", "picture")
    try home.link("Pictures/link.png", to: picture)
    let folder = "\(home.path)/Pictures"
    let desktop = try await PrivateDesktop(
      .packaged(
        answer: "yes",
        uris: ["IMG%201.png", "link.png", "none.png"].map { "file://\(folder)/\($0)" }))
    let path = home.path
    var machine = LinuxMachine(environment: { $0 == "HOME" ? path : nil })
    machine.filePortal = DesktopPortal(address: .at(desktop.bus.address))
    let service = PermissionsService(machine: machine)
    let selection = await service.requestAlbumSelection(
      AlbumSelectionRequest(timeout: .seconds(200)))
    #expect(await desktop.line()?.hasPrefix("||Choose pictures|") == true)
    #expect(selection.status == .limited)
    #expect(selection.files.map(\.isReadable) == [true, false, false])
    #expect(selection.files[1].reason == "it is a symbolic link")
    // The picture is replaced by a link after it was chosen.
    let file = try service.open(selection.files[0])
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(unsafe read(file.rawValue, &bytes, 16) == 7)
    #expect(unsafe unlink(picture) == 0)
    try home.link("Pictures/IMG 1.png", to: "/etc/passwd")
    let error = #expect(throws: AlbumError.self) {
      _ = try service.open(selection.files[0]).rawValue
    }
    #expect(error?.code == .wrongObject)
  }
}
