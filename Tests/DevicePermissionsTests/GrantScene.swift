import AccessModel
import DevicePermissionsTesting
import Foundation
import Glibc
import LegoKit
import LinuxDevices

@testable import DevicePermissions

/// A service that grants, a picture in its caller's album, and operations on both for tests.
///
/// The service is the real one on real files, or the one of an in-memory machine.
struct GrantScene: Sendable {
  /// The kind of service.
  enum Kind: Sendable, CaseIterable {
    case real, inMemory

    /// The kinds that this user can test; a real grant to another user requires root.
    static var possible: [Kind] { geteuid() == 0 ? allCases : [.inMemory] }
  }

  /// The caller's home directory.
  let home: String
  let service: GrantService
  /// A picture of mode 0640.
  let file: String
  let list: @Sendable (_ path: String) throws -> AccessList
  let addFile: @Sendable (_ path: String, _ mode: UInt16, _ owner: UInt32) throws -> Void
  let addLink: @Sendable (_ path: String, _ target: String) throws -> Void
  let setMode: @Sendable (_ mode: UInt16, _ path: String) throws -> Void
  let remove: @Sendable (_ path: String) throws -> Void
  /// Waits until a grant has ended.
  let end: @Sendable (_ grant: AccessGrant) async -> Void

  init(_ kind: Kind) throws {
    switch kind {
    case .real: try self.init(TemporaryFolder())
    case .inMemory:
      self.init(
        InMemoryMachine {
          $0.addUser("daemon", id: 1)
          $0.addUser("nobody", id: 65534)
          $0.environment["HOME"] = "/srv/home"
          $0.addFile("/etc/shadow", mode: 0o640)
          var null = DeviceFacts(
            node: "/dev/null", sysfsPath: "/sys/devices/virtual/mem/null", subsystem: "mem",
            kernelName: "null", seat: "seat0")
          null.number = DeviceNumber(major: 1, minor: 3)
          $0.addDevice(null, mode: 0o666)
        })
    }
    try addFile(file, 0o640, 0)
  }

  private init(_ folder: TemporaryFolder) {
    home = folder.path
    service = folder.grants
    file = "\(home)/Pictures/picture.jpg"
    list = { try TemporaryFolder.list($0) }
    addFile = { path, mode, owner in
      try folder.file(String(path.dropFirst(folder.path.count + 1)), mode: mode)
      guard unsafe chown(path, owner, owner) == 0 else { throw Errno(rawValue: errno) }
    }
    addLink = { path, target in
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
    setMode = { mode, path in try folder.setMode(mode, of: path) }
    remove = { try FileManager.default.removeItem(atPath: $0) }
    end = { grant in
      while GrantCaller.uptime < grant.deadline ?? 0 {
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private init(_ machine: InMemoryMachine) {
    home = "/srv/home"
    service = machine.grants
    file = "\(home)/Pictures/picture.jpg"
    list = { path in
      let node = try machine.facts(for: Question(.path(path))).access.object(at: path)
      guard let list = node.flatMap(AccessList.init(of:)) else { throw Errno.noSuchFile }
      return list
    }
    addFile = { path, mode, owner in
      machine.change { $0.addFile(path, mode: mode, owner: owner == 0 ? "root" : "daemon") }
    }
    addLink = { path, target in machine.change { $0.addLink(path, to: target) } }
    setMode = { mode, path in machine.change { $0.setMode(mode, of: path) } }
    remove = { path in machine.change { $0.remove(path) } }
    end = { grant in
      guard let end = grant.end else { return }
      await machine.clock.advance(by: .seconds(end - grant.start))
    }
  }

  /// Returns a request to let a user read the picture.
  func request(_ path: String? = nil, to user: String = "nobody") -> GrantRequest {
    GrantRequest(.path(path ?? file), to: user, for: .read)
  }

  /// Returns the error of a request for a path; `nil` if it is granted.
  func refusal(_ path: String? = nil, to user: String = "nobody") async -> GrantError.Code? {
    do throws(GrantError) {
      _ = try await service.grant(request(path, to: user))
      return nil
    } catch {
      return error.code
    }
  }

  /// Returns the answer to whether a user may read the picture.
  func answer(to user: String = "nobody") throws -> Answer {
    let question = Question(.path(file), wanted: .read, subject: .user(user))
    return try service.machine.facts(for: question).explain().answer
  }
}
