import AccessModel
import Foundation
import Glibc
import LinuxTestSupport
import Testing

@testable import DevicePermissions
@testable import LinuxDevices

/// The object at a path keeps changing, as if an attacker wanted an entry on another object.
@Suite(.requiresRoot, .requiresFileHandles, .timeLimit(.minutes(5)))
struct `The service that grants, under attack` {
  private let directory: TemporaryFolder
  private let service: GrantService
  private let file: String

  init() throws {
    directory = try TemporaryFolder()
    service = directory.grants
    file = try directory.picture()
  }

  /// Grants and revokes while another thread repeats an attack.
  ///
  /// - Returns: The number of grants that succeeded.
  private func grant(
    rounds: Int, while attack: @escaping @Sendable () -> Void, check: () throws -> Void
  ) async throws -> Int {
    let stops = AtomicCount()
    let attacker = Thread { while stops.value == 0 { attack() } }
    attacker.start()
    var granted = 0
    for _ in 0..<rounds {
      let request = GrantRequest(.path(file), to: "nobody", for: .read)
      if let report = try? await service.grant(request) {
        granted += report.isAllowedAlready ? 0 : 1
        _ = try? await service.revoke(.id(report.grant.id))
      }
      try check()
    }
    stops.add()
    #expect(await eventually { attacker.isFinished })
    // The remaining grants can be revoked once the path no longer changes.
    _ = try? await service.revoke(.path(file, user: nil))
    #expect(try await service.grants() == [])
    return granted
  }

  @Test func `touches nothing else while links are swapped beneath it`() async throws {
    let secret = try directory.file("secret", mode: 0o600)
    let before = (try TemporaryFolder.list(file), try TemporaryFolder.list(secret))
    let (path, away) = (file, "\(directory.path)/Pictures/away")
    _ = try await grant(rounds: 60) {
      unsafe rename(path, away)
      unsafe symlink(secret, path)
      unsafe unlink(path)
      unsafe rename(away, path)
    } check: {
      let now = try TemporaryFolder.list(secret)
      #expect(now == before.1)
    }
    #expect(try TemporaryFolder.list(file) == before.0)
  }

  @Test func `touches nobody else's picture while the directory is moved`() async throws {
    // Another user's directory, with a picture of the same name, replaces the album.
    let foreign = try directory.file("other/picture.jpg", mode: 0o640)
    let (album, other) = ("\(directory.path)/Pictures", "\(directory.path)/other")
    let away = "\(directory.path)/away"
    for path in [other, foreign] { #expect(unsafe chown(path, 1, 1) == 0) }
    let pinned = try PinnedNode(path: foreign)
    let before = (try TemporaryFolder.list(file), try pinned.list(calledBy: foreign))
    let granted = try await grant(rounds: 100) {
      unsafe rename(album, away)
      unsafe rename(other, album)
      unsafe rename(album, other)
      unsafe rename(away, album)
      // The album has to stay in place most of the time, or no grant would succeed.
      usleep(500)
    } check: {
      let now = try pinned.list(calledBy: foreign)
      #expect(now == before.1)
    }
    #expect(granted > 0)
    #expect(try TemporaryFolder.list(file) == before.0)
  }

  @Test(.requiresPrivateMounts)
  func `touches no other device that takes the place and the number of the node`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      let before = try `The service that grants devices`.list()
      try PrivateMachine.makeDevice("/dev/null2", major: 1, minor: 3, mode: 0o600)
      let null = try PinnedNode(path: "/dev/null2")
      let alike = try null.list(calledBy: "/dev/null2")
      let stops = AtomicCount()
      let attacker = Thread {
        while stops.value == 0 {
          // Another device under the same name, and then another node with the same number.
          unsafe rename("/dev/kvm", "/dev/away")
          unsafe rename("/dev/null2", "/dev/kvm")
          unsafe rename("/dev/kvm", "/dev/null2")
          try? PrivateMachine.makeDevice("/dev/kvm", major: 10, minor: 232, mode: 0o600)
          unsafe unlink("/dev/kvm")
          unsafe rename("/dev/away", "/dev/kvm")
          usleep(500)
        }
      }
      attacker.start()
      var granted = 0
      for _ in 0..<100 {
        if let report = try? await service.grant(GrantRequest(.path("/dev/kvm"), to: "nobody")) {
          granted += 1
          _ = try? await service.revoke(.id(report.grant.id))
        }
        guard try null.list(calledBy: "/dev/null2") == alike else { exit(1) }
      }
      stops.add()
      while !attacker.isFinished { sched_yield() }
      _ = try? await service.revoke(.path("/dev/kvm", user: nil))
      guard granted > 0 else { exit(2) }
      guard try `The service that grants devices`.list() == before else { exit(3) }
      exit(try await service.grants().isEmpty ? 0 : 4)
    }
  }
}
