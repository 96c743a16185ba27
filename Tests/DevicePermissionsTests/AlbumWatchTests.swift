import DevicePermissions
import Foundation
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

/// The permission for an album of real files, which is reported before its new location is watched.
///
/// The kernel reports each change, and nothing is polled.
@Suite(.timeLimit(.minutes(3))) struct `An album that comes and goes` {
  private static let manager = FileManager.default

  /// A home directory whose album is three directories below it.
  private struct Home {
    private let folder: TemporaryFolder
    let changes: PermissionChanges

    var away: String { "\(folder.path)/away" }
    var place: String { "\(folder.path)/place" }
    var album: String { "\(place)/deep/Pictures" }

    init(of machine: (LinuxMachine) -> any Machine = { $0 }) throws {
      let folder = try TemporaryFolder()
      try manager.createDirectory(
        atPath: "\(folder.path)/away/deep/Pictures", withIntermediateDirectories: true)
      try manager.createDirectory(
        atPath: "\(folder.path)/.config", withIntermediateDirectories: false)
      try Data("XDG_PICTURES_DIR=\"$HOME/place/deep/Pictures\"\n".utf8)
        .write(to: URL(fileURLWithPath: "\(folder.path)/.config/user-dirs.dirs"))
      let home = folder.path
      changes =
        PermissionsService(
          machine: machine(LinuxMachine(environment: { $0 == "HOME" ? home : nil }))
        ).changes
      self.folder = folder
    }

    func bring() { #expect(unsafe rename(away, place) == 0) }
    func takeAway() { #expect(unsafe rename(place, away) == 0) }
  }

  /// The last reported state.
  private final class Reported: Sendable {
    private let value = Atomic(false)

    var isThere: Bool {
      get { value.load(ordering: .relaxed) }
      set { value.store(newValue, ordering: .relaxed) }
    }
  }

  /// Waits until the album appears or disappears; other permissions of this machine may change too.
  private func wait(
    _ changes: inout PermissionChanges.Iterator, isThere: Bool
  ) async throws {
    while let now = try await changes.next() {
      if (now.album.status != .absent) == isThere { return }
    }
    Issue.record("the changes have ended")
  }

  @Test func `is true although it changes before its new place is watched`() async throws {
    let home = try Home()
    var changes = home.changes.makeAsyncIterator()
    try await wait(&changes, isThere: false)
    for _ in 0..<100 {
      home.bring()
      try await wait(&changes, isThere: true)
      // The directory that contains the album is not watched yet.
      #expect(unsafe rmdir(home.album) == 0)
      try await wait(&changes, isThere: false)
      #expect(unsafe mkdir(home.album, 0o700) == 0)
      try await wait(&changes, isThere: true)
      home.takeAway()
      try await wait(&changes, isThere: false)
    }
  }

  @Test func `has no portal asked about the camera`() async throws {
    let portal = CountingPortal()
    let home = try Home { MachineWithPortal(wrapped: $0, cameraPortal: portal) }
    var changes = home.changes.makeAsyncIterator()
    try await wait(&changes, isThere: false)
    let before = portal.count
    for _ in 0..<200 {
      home.bring()
      try await wait(&changes, isThere: true)
      home.takeAway()
      try await wait(&changes, isThere: false)
    }
    // If device events are not available, everything is scanned each second.
    #expect(portal.count - before < 100)
  }

  @Test(arguments: [true, false])
  func `is in the end what it is after a storm`(isThere: Bool) async throws {
    for _ in 0..<5 {
      let home = try Home()
      var changes = home.changes.makeAsyncIterator()
      try await wait(&changes, isThere: false)
      let writer = Task.detached {
        for round in 0..<2000 {
          home.bring()
          if round % 3 == 0 {
            #expect(unsafe rmdir(home.album) == 0)
            #expect(unsafe mkdir(home.album, 0o700) == 0)
          }
          home.takeAway()
        }
        home.bring()
        if !isThere { #expect(unsafe rmdir(home.album) == 0) }
      }
      let reported = Reported()
      let reader = Task { [changes, reported] in
        var changes = changes
        while let now = try? await changes.next() { reported.isThere = now.album.status != .absent }
      }
      await writer.value
      // A missed change is not reported later.
      #expect(await eventually { reported.isThere == isThere })
      try await Task.sleep(for: .milliseconds(300))
      #expect(reported.isThere == isThere)
      reader.cancel()
    }
  }
}
