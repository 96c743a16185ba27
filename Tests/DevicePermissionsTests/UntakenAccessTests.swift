import DevicePermissions
import DevicePermissionsTesting
import Foundation
import LegoKit
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

/// An application that can discard its permissions.
private struct AppBlueprint: Blueprint {
  struct Design: Equatable, Sendable {
    var permissions: PermissionsBlueprint.Design? = PermissionsBlueprint.Design()
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case permissions(PermissionsBlueprint.Change)
    case leave

    var payload: Any? {
      switch self {
      case .permissions(let change): change
      case .leave: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    if change == .leave { design.permissions = nil }
  }

  static func store() -> Lego<AppBlueprint> {
    let app = Feature(AppBlueprint())
      .optional(\.permissions, .case(Change.permissions), .permissions)
    return Lego(Design(), feature: app)
  }
}

/// A machine whose only camera is a private file, which no other test opens.
private final class FileMachine: MachineWrapper {
  let wrapped: any Machine = InMemoryMachine {
    $0.addUser("alice", id: 1000, groups: ["video"])
    $0.addCamera()
    $0.run(as: "alice")
  }
  let folder: TemporaryDirectory
  let path: String
  private let openings = Mutex(0)

  init() throws {
    folder = try TemporaryDirectory()
    path = "\(folder.path)/camera"
    try Data().write(to: URL(fileURLWithPath: path))
  }

  /// The number of times that the camera was opened.
  var openingCount: Int { openings.withLock { $0 } }

  /// The number of descriptors that are open on the camera.
  var openCount: Int {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count {
      (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    defer { openings.withLock { $0 += 1 } }
    let number = unsafe Glibc.open(self.path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.unavailable, operation: "open", path: self.path) }
    return DeviceDescriptor(adopting: number)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Access that nobody takes` {
  private typealias Store = Lego<PermissionsBlueprint>

  /// Runs a closure with a separate service.
  private func with<Value: Sendable>(
    _ machine: any Machine, _ body: (PermissionsService) async throws -> Value
  ) async rethrows -> Value {
    let service = PermissionsService(machine: machine)
    return try await withContractors {
      $0.permissions = service
    } operation: {
      try await body(service)
    }
  }

  private func store() -> Store { Store(PermissionsBlueprint.Design(), feature: .permissions) }

  /// Ends the store at every stage of a request, from before it begins until after its answer
  /// arrives.
  @Test(arguments: ["close", "drop", "cancel"])
  func `is closed with a store that ends meanwhile`(end: String) async throws {
    let machine = try FileMachine()
    try await with(machine) { _ in
      var answered = 0
      var kept: [Store] = []
      for round in 0..<200 {
        let lego = store()
        let build = lego.build(.request(AccessRequest()))
        try await Task.sleep(for: .microseconds(round * 100))
        switch end {
        case "close":
          await lego.close()
          // Keeping a closed store does not keep the device open.
          kept.append(lego)
        case "cancel": build.cancel()
        default: break
        }
        if lego.design.accessAnswer != nil { answered += 1 }
      }
      #expect(await eventually { machine.openCount == 0 }, "\(answered) of 200 were answered")
      #expect(machine.openingCount > 0)
      #expect(kept.count == (end == "close" ? 200 : 0))
    }
  }

  @Test func `is closed on two threads at once`() async throws {
    let machine = try FileMachine()
    await with(machine) { _ in
      for round in 0..<100 {
        let lego = store()
        await withTaskGroup { group in
          group.addTask { for _ in 0..<4 { lego.build(.request(AccessRequest())) } }
          group.addTask {
            try? await Task.sleep(for: .microseconds(round * 100))
            await lego.close()
          }
        }
      }
      #expect(await eventually { machine.openCount == 0 })
    }
  }

  @Test func `of the real system is closed as well`() async throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/zero"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    func openCount() -> Int {
      let manager = FileManager.default
      let names = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return names.count {
        (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == "/dev/zero"
      }
    }
    let before = openCount()
    try await with(LinuxMachine()) { _ in
      var kept: [Store] = []
      for round in 0..<100 {
        let lego = store()
        lego.build(.request(AccessRequest(.path(path))))
        try await Task.sleep(for: .microseconds(round * 100))
        await lego.close()
        kept.append(lego)
      }
      #expect(await eventually { openCount() <= before })
      #expect(kept.count == 100)
    }
  }

  @Test func `is closed with the part of a store that asked for it`() async throws {
    let machine = try FileMachine()
    try await with(machine) { _ in
      let lego = AppBlueprint.store()
      await lego.build(.permissions(.request(AccessRequest()))).finished()
      #expect(lego.design.permissions?.accessAnswer?.token != nil)
      #expect(machine.openCount == 1)
      await lego.build(.leave).finished()
      #expect(await eventually { machine.openCount == 0 })
      for round in 0..<100 {
        let lego = AppBlueprint.store()
        lego.build(.permissions(.request(AccessRequest())))
        try await Task.sleep(for: .microseconds(round * 100))
        lego.build(.leave)
        await lego.close()
      }
      #expect(await eventually { machine.openCount == 0 })
    }
  }

  @Test func `is closed with the answer, and with the next one`() async throws {
    let machine = try FileMachine()
    try await with(machine) { service in
      _ = await service.request()
      #expect(await eventually { machine.openCount == 0 })
      let lego = store()
      for _ in 0..<3 { await lego.build(.request(AccessRequest())).finished() }
      #expect(machine.openingCount == 4)
      #expect(await eventually { machine.openCount == 1 })
      let token = try #require(lego.design.accessAnswer?.token)
      await lego.build(.request(AccessRequest())).finished()
      // A token that is still kept keeps its descriptor open.
      #expect(machine.openCount == 2)
      let number = service.take(token)?.rawValue
      #expect(number != nil)
    }
  }

  /// Closing a store does not close a descriptor that the program has taken.
  @Test func `stays open once somebody has taken it`() async throws {
    let machine = try FileMachine()
    try await with(machine) { service in
      let lego = store()
      await lego.build(.request(AccessRequest())).finished()
      let token = try #require(lego.design.accessAnswer?.token)
      guard let access = service.take(token) else {
        Issue.record("nothing was handed over")
        return
      }
      await lego.close()
      service.discard(token)
      #expect(fcntl(access.rawValue, F_GETFD) >= 0)
      #expect(machine.openCount == 1)
      access.close()
      #expect(machine.openCount == 0)
    }
  }

  @Test func `is known by its number in a log`() async throws {
    let answer = await PermissionsService(machine: try FileMachine()).request()
    let token = try #require(answer.token)
    #expect(Mirror(reflecting: token).children.compactMap(\.label) == ["number"])
  }
}
