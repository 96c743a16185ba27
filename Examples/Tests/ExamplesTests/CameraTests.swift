import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LegoTesting
import Testing

@testable import camera_and_album

@Suite struct `Camera and album` {
  /// A picture whose left half is red, and whose right half is blue.
  private static let picture = Picture(
    width: 64, height: 48,
    rgb: (0..<64 * 48).flatMap { $0 % 64 < 32 ? [200, 30, 30] : [30, 30, 200] as [UInt8] })

  /// What a run printed and how it ended.
  private struct Result {
    var output: [String]
    var errors: [String]
    var status: Int32
  }

  private let folder: TemporaryFolder
  private let machine: InMemoryMachine

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    machine = InMemoryMachine { $0.addDesktop(pictures: folder.path) }
  }

  /// Runs the program on the machine.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: Gives a line, once it has seen what was printed so far.
  /// - Returns: What it printed and how it ended.
  private func run(
    _ arguments: String..., input: @escaping ([String]) -> String? = { _ in nil }
  ) async -> Result {
    let (output, errors) = (Lines(), Lines())
    let status = await withContractors {
      $0.permissions = PermissionsService(machine: machine)
      $0.devices = DeviceService(machine: machine)
      $0.camera = CameraService { node in
        #expect(node == "/dev/video0")
        return Self.picture
      }
    } operation: {
      await Program(output: output.add, errors: errors.add, input: { input(output.all) })
        .run(arguments)
    }
    return Result(output: output.all, errors: errors.all, status: status)
  }

  // MARK: For scripts

  @Test func `saves a valid picture of the right size`() async throws {
    let result = await run("--take")
    #expect(result.status == 0)
    #expect(result.errors == [])
    #expect(result.output == [folder.path + "/picture-1.jpg"])
    let saved = try Picture(jpeg: try TemporaryFolder.bytes(of: result.output[0]))
    #expect((saved.width, saved.height) == (64, 48))
    #expect(saved.rgb[0] > 150 && saved.rgb[2] < 80)
    #expect(saved.rgb[63 * 3] < 80 && saved.rgb[63 * 3 + 2] > 150)
    #expect(try folder.names == ["picture-1.jpg"])
  }

  @Test func `never replaces a picture`() async throws {
    for number in 1...3 {
      #expect(await run("--take").output == [folder.path + "/picture-\(number).jpg"])
    }
    #expect(try folder.names.count == 3)
  }

  @Test func `says which rule refuses the camera, and what helps`() async throws {
    machine.change { $0.logOut("alice") }
    let result = await run("--take")
    #expect(result.status == 1)
    #expect(result.output == [])
    let line = try #require(result.errors.first)
    #expect(result.errors.count == 1)
    #expect(line.hasPrefix("camera-and-album: camera: refused: "))
    #expect(line.contains("(rule "))
    #expect(line.contains("; fix: "))
    #expect(try folder.names == [])
  }

  @Test func `says that there is no camera`() async {
    machine.change { $0.removeDevice("/dev/video0") }
    let result = await run("--take")
    #expect(result.status == 3)
    #expect(result.errors.count == 1)
  }

  @Test func `says which rule refuses the album`() async throws {
    machine.change { $0.setMode(0o500, of: folder.path) }
    let result = await run("--take")
    #expect(result.status == 1)
    #expect(result.errors.first?.hasPrefix("camera-and-album: album: refused: ") == true)
    #expect(result.errors.first?.contains("chmod") == true)
  }

  @Test func `asks for a camera that a capability opens`() async {
    machine.change {
      $0.logOut("alice")
      $0.run(as: "alice", permitted: [.overrideFileAccess])
    }
    #expect(await run("--take").status == 0)
    // Once for the request; the camera of this test opens nothing.
    #expect(machine.openedPaths == ["/dev/video0"])
  }

  @Test func `fails with one line when the camera does`() async {
    let errors = Lines()
    let status = await withContractors {
      $0.permissions = PermissionsService(machine: machine)
      $0.devices = DeviceService(machine: machine)
      // The machine opens /dev/null, which is not a camera.
      $0.camera = CameraService.contractor
    } operation: {
      await Program(output: { _ in }, errors: errors.add, input: { nil }).run(["--take"])
    }
    #expect(status == 70)
    #expect(errors.all == ["camera-and-album: the device is not a camera that streams"])
  }

  @Test func `refuses wrong arguments`() async {
    #expect(await run("--take", "--take").status == 64)
    #expect(await run("--help").status == 0)
  }

  // MARK: At a terminal

  @Test func `goes from the splash to the preview, and takes a picture`() async {
    var typed = ["take", "turn", "quit"][...]
    let result = await run(input: { _ in typed.popFirst() })
    #expect(result.status == 0)
    #expect(result.output.first == "Camera and album")
    #expect(result.output.contains("Camera: /dev/video0"))
    #expect(result.output.contains("Saved \(folder.path)/picture-1.jpg, 64 × 48"))
    #expect(result.errors == ["camera-and-album: unknown command; there are take and quit"])
  }

  @Test func `takes no picture while it shows the help`() async throws {
    machine.change { $0.logOut("alice") }
    var typed = ["take"][...]
    let result = await run(input: { _ in typed.popFirst() })
    #expect(result.status == 0)
    #expect(result.errors == ["camera-and-album: no picture can be taken now"])
    #expect(result.output.contains { $0.hasPrefix("# usermod ") })
    #expect(try folder.names == [])
  }

  @Test func `goes from the help to the preview when access comes, and back`() async throws {
    let machine = machine
    machine.change { $0.logOut("alice") }
    let lego = withContractors {
      $0.permissions = PermissionsService(machine: machine)
      $0.devices = DeviceService(machine: machine)
    } operation: {
      Lego(.init(), feature: .app)
    }
    await lego.build(.start).finished()
    #expect(lego.design.screen == .help)
    #expect(ScreenText(design: lego.design).lines.contains { $0.hasPrefix("Fix: ") })
    lego.build(.permission(.watch(true)))
    machine.change { $0.logIn("alice") }
    _ = await lego.observe(\.screen).first { $0 == .preview }
    machine.change { $0.logOut("alice") }
    _ = await lego.observe(\.screen).first { $0 == .help }
    await lego.close()
    #expect(machine.watchCount == 0)
  }

  @Test func `waits for the help that belongs to the answer`() async throws {
    machine.change { $0.logOut("alice") }
    var design = AppBlueprint.Design()
    design.screen = .help
    let service = PermissionsService(machine: machine)
    design.permissions.cameraReport = service.report(for: Question(.kind(.camera)))
    design.permissions.albumReport = service.report(for: Question(.kind(.album)))
    #expect(ScreenText(design: design).lines == ["Looking at the permissions…"])
    let explanation = try await DeviceService(machine: machine).explain(Question(.kind(.camera)))
    design.device.explanation = explanation
    #expect(ScreenText(design: design).lines.count > 2)
    // The camera goes, and nobody has explained that yet.
    machine.change { $0.removeDevice("/dev/video0") }
    design.permissions.cameraReport = service.report(for: Question(.kind(.camera)))
    #expect(ScreenText(design: design).lines == ["Looking at the permissions…"])
    #expect(ScreenText(design: design).complaint?.hasPrefix("camera: absent") == true)
  }

  @Test func `takes one picture at a time`() async {
    let (asked, go) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    let machine = machine
    let lego = withContractors {
      $0.permissions = PermissionsService(machine: machine)
      $0.devices = DeviceService(machine: machine)
      $0.camera = CameraService { _ in
        asked.continuation.yield()
        for await _ in go.stream { break }
        return Self.picture
      }
    } operation: {
      Lego(.init(), feature: .app)
    }
    await lego.build(.start).finished()
    let first = lego.build(.takePicture)
    for await _ in asked.stream { break }
    let second = lego.build(.takePicture)
    #expect(lego.design.photo == .taking)
    go.continuation.finish()
    await first.finished()
    await second.finished()
    #expect((try? folder.names) == ["picture-1.jpg"])
  }

  @Test func `prints nothing that a terminal obeys`() {
    #expect(ScreenText.printable("a\u{1B}[2Jb\u{202E}c\nd") == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d")
  }
}
