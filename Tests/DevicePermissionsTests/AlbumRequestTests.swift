import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LegoKit
import LinuxDevices
import LinuxTestSupport
import MachineSamples
import Testing

@Suite struct `A request for the album` {
  private static let path = "/home/alice/Pictures"

  @Test(arguments: AlbumAccessLevel.allCases)
  func `creates a missing directory, and then finds it`(level: AlbumAccessLevel) async throws {
    let machine = AlbumMachine.make()
    let service = PermissionsService(machine: machine)
    #expect(service.report(for: level.question).status == .absent)
    let answer = await service.request(AccessRequest(.album(level)))
    #expect(answer.method == .creation)
    #expect(answer.trials.map(\.method) == [.authorized, .creation])
    #expect(answer.trials.map(\.outcome) == [.unavailable, .granted])
    #expect(answer.report.status == .authorized)
    #expect(answer.report.path == Self.path)
    #expect(answer.term == .whileOpen)
    guard let token = answer.token, let access = service.take(token) else {
      Issue.record("nothing was handed over")
      return
    }
    #expect(access.kind == .album(path: Self.path))
    let again = await service.request(AccessRequest(.album(level)))
    #expect(again.method == .authorized)
    #expect(again.trials.map(\.method) == [.authorized])
    #expect(again.album?.addOnly.status == .authorized)
    #expect(again.album?.readWrite.status == .authorized)
  }

  @Test func `creates nothing by another method`() async {
    let machine = AlbumMachine.make()
    let service = PermissionsService(machine: machine)
    for method in AccessMethod.allCases where method != .creation {
      let answer = await service.request(AccessRequest(.album(.readWrite), methods: [method]))
      #expect(answer.method == nil)
      #expect(answer.token == nil)
      #expect(answer.trials.map(\.outcome) == [.unavailable])
      #expect(answer.report.status == .absent)
      #expect(answer.settings != nil)
    }
    #expect(service.report(for: AlbumAccessLevel.readWrite.question).status == .absent)
  }

  @Test func `creates none outside of the home directory or in another's`() async {
    let elsewhere = AlbumMachine.make { $0.environment["XDG_PICTURES_DIR"] = "/home/bob/Pictures" }
    let answer = await PermissionsService(machine: elsewhere).request(
      AccessRequest(.album(.readWrite)))
    #expect(answer.method == nil)
    #expect(answer.trials.last?.outcome != .granted)
    #expect(answer.report.answer != .allowed)
    let foreign = AlbumMachine.make { $0.setOwner("bob", group: "bob", of: "/home/alice") }
    let refused = await PermissionsService(machine: foreign).request(
      AccessRequest(.album(.readWrite)))
    #expect(refused.method == nil)
  }

  /// Each level has its own answer: `limited` for one can be `authorized` for the other.
  @Test func `keeps the levels apart`() async {
    let machine = AlbumMachine.make { $0.addDirectory(Self.path, mode: 0o300, owner: "alice") }
    let service = PermissionsService(machine: machine)
    let using = await service.request(AccessRequest(.album(.readWrite)))
    #expect(using.method == nil)
    #expect(using.trials.map(\.outcome) == [.unavailable, .unavailable])
    #expect(using.report.status == .limited)
    #expect(using.album?.addOnly.status == .authorized)
    #expect(using.album?.readWrite.status == .limited)
    #expect(using.album?.contents == nil)
    let adding = await service.request(AccessRequest(.album(.addOnly)))
    #expect(adding.method == .authorized)
    #expect(adding.report.status == .authorized)
    #expect(adding.album == using.album)
  }

  @Test func `is limited where some pictures cannot be read, and names them`() async {
    let machine = AlbumMachine.make {
      $0.addDirectory(Self.path, mode: 0o700, owner: "alice")
      $0.addFile("\(Self.path)/mine.png", owner: "alice")
      $0.addFile("\(Self.path)/theirs.png", mode: 0o600, owner: "bob")
      $0.addFile("\(Self.path)/.hidden", mode: 0o600, owner: "bob")
    }
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.album(.readWrite)))
    #expect(answer.method == .authorized)
    #expect(answer.report.answer == .allowed)
    #expect(answer.report.status == .limited)
    #expect(
      answer.album?.contents
        == AlbumContents(readable: ["mine.png"], unreadable: ["theirs.png"]))
    let adding = await service.request(AccessRequest(.album(.addOnly)))
    #expect(adding.report.status == .authorized)
  }

  @Test(
    .machine {
      $0.addUser("alice", id: 1000)
      $0.run(as: "alice")
    })
  func `goes through a store, which is told of the method`() async throws {
    let lego = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    await lego.build(.request(AccessRequest(.album(.addOnly)))).finished()
    let answer = try #require(lego.design.accessAnswer)
    #expect(answer.method == .creation)
    #expect(lego.design.album == .authorized)
    #expect(lego.design.cameraReport == nil)
    #expect(lego.design.method == nil)
  }

  /// Tests a real directory, the pictures in it, and links to directories on a real kernel.
  @Test func `hands over a real directory, to which pictures are added`() async throws {
    let home = try TemporaryDirectory()
    let path = home.path
    let machine = LinuxMachine(environment: { $0 == "HOME" ? path : nil })
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.album(.readWrite)))
    #expect(answer.method == .creation, "\(answer.trials)")
    guard let token = answer.token, let access = service.take(token) else {
      Issue.record("nothing was handed over")
      return
    }
    #expect(access.kind == .album(path: "\(path)/Pictures"))
    let name = try PictureName("IMG", suffix: "png")
    #expect(try access.album().add([1], named: name) == "IMG 1.png")
    // The access keeps the directory open, even after it is moved.
    #expect(unsafe rename("\(path)/Pictures", "\(path)/Moved") == 0)
    #expect(try access.album().add([2], named: name) == "IMG 2.png")
    let again = await service.request(AccessRequest(.album(.readWrite)))
    #expect(again.method == .creation)
    #expect(again.album?.contents == AlbumContents(readable: [], unreadable: []))
    try home.link("Pictures 2", to: "Moved")
    let linked = LinuxMachine(environment: {
      ["HOME": path, "XDG_PICTURES_DIR": "\(path)/Pictures 2"][$0]
    })
    let followed = await PermissionsService(machine: linked).request(
      AccessRequest(.album(.readWrite)))
    #expect(followed.method == .authorized)
    #expect(followed.album?.contents?.readable == ["IMG 1.png", "IMG 2.png"])
    try home.link("Pictures 3", to: "Missing")
    let dangling = LinuxMachine(environment: {
      ["HOME": path, "XDG_PICTURES_DIR": "\(path)/Pictures 3"][$0]
    })
    let refused = await PermissionsService(machine: dangling).request(
      AccessRequest(.album(.readWrite)))
    #expect(refused.method == nil)
    #expect(refused.trials.allSatisfy { $0.outcome != .granted })
    #expect(unsafe Glibc.access(path + "/Missing", F_OK) == -1)
  }

  @Test func `of a device gives no album`() async throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["video"])
      $0.addCamera()
      $0.run(as: "alice")
    }
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.camera))
    #expect(!answer.trials.contains { $0.method == .creation })
    guard let token = answer.token, let access = service.take(token) else {
      Issue.record("nothing was handed over")
      return
    }
    let error = #expect(throws: AlbumError.self) { _ = try access.album().path }
    #expect(error?.code == .wrongObject)
    let alone = await service.request(AccessRequest(.camera, methods: [.creation]))
    #expect(alone.trials.map(\.outcome) == [.unavailable])
  }
}
