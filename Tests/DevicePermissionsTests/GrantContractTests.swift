import AccessModel
import DevicePermissions
import Testing

/// The behavior of the real service on real files, and of the in-memory service on described files.
@Suite(.timeLimit(.minutes(5)))
struct `Every service that grants` {
  @Test(arguments: GrantScene.Kind.possible)
  func `lets a user in, tells of it, and takes it back`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    let service = scene.service
    let before = try scene.list(scene.file)
    #expect(try scene.answer() == .refused)
    let plan = try await service.plan(scene.request())
    #expect(try scene.list(scene.file) == before)
    let report = try await service.grant(scene.request())
    #expect(plan.before == before)
    #expect(plan.after == report.after)
    #expect(plan.commands.first == "setfacl --set \(report.after.text) \(scene.file)")
    #expect(try scene.list(scene.file) == report.after)
    #expect(try scene.answer() == .allowed)
    #expect(try scene.answer(to: "daemon") == .refused)
    #expect(AccessGrant.isID(report.grant.id))
    #expect(report.grant.end == report.grant.start + GrantRequest.usual)
    #expect(try await service.grants().map(\.grant) == [report.grant])
    let planned = try await service.planRevoke(.id(report.grant.id))
    #expect(planned.map(\.grant) == [report.grant])
    #expect(planned.first?.commands == ["setfacl --set \(before.text) \(scene.file)"])
    #expect(try scene.list(scene.file) == report.after)
    #expect(try await service.revoke(.id(report.grant.id)).map(\.grant) == [report.grant])
    #expect(try scene.list(scene.file) == before)
    #expect(try await service.grants() == [])
    await #expect(throws: GrantError(.unknown, "no grant with ID \(report.grant.id)")) {
      try await service.revoke(.id(report.grant.id))
    }
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `says so where the user is let in already`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    try scene.setMode(0o644, scene.file)
    let report = try await scene.service.grant(scene.request())
    #expect(report.isAllowedAlready)
    #expect(try await scene.service.grants() == [])
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `sets nothing where a directory on the way refuses`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    try scene.setMode(0o700, "\(scene.home)/Pictures")
    let before = try scene.list(scene.file)
    #expect(await scene.refusal() == .useless)
    #expect(try scene.list(scene.file) == before)
    #expect(try await scene.service.grants() == [])
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `refuses what is neither a device nor in the caller's album`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let outside = "\(scene.home)/outside"
    let (foreign, link) = ("\(scene.home)/Pictures/foreign", "\(scene.home)/Pictures/link")
    try scene.addFile(outside, 0o640, 0)
    try scene.addFile(foreign, 0o640, 1)
    try scene.addLink(link, outside)
    for path in [outside, foreign, link, "/dev/null", "/etc/shadow"] {
      let before = try? scene.list(path)
      #expect(await scene.refusal(path) == .wrongObject, "\(path)")
      #expect((try? scene.list(path)) == before)
    }
    #expect(await scene.refusal("\(scene.home)/Pictures/missing") == .absent)
    #expect(await scene.refusal(to: "nobody-of-that-name") == .absent)
    #expect(try await scene.service.grants() == [])
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `follows the links that only root or the caller can have put there`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let before = try scene.list(scene.file)
    // A home directory behind a link, and a link in it.
    let home = "\(scene.home)/shortcut"
    try scene.addLink(home, scene.home)
    try scene.addLink("\(scene.home)/Pictures/newest", "picture.jpg")
    let link = "\(home)/Pictures/newest"
    var request = scene.request()
    request.target = .path(link)
    let report = try await scene.service.grant(request)
    #expect(report.path == scene.file)
    #expect(try await scene.service.grants().map(\.path) == [scene.file])
    #expect(try await scene.service.revoke(.path(link, user: nil)).count == 1)
    #expect(try scene.list(scene.file) == before)
    // Any user could have created the link now.
    try scene.setMode(0o777, "\(scene.home)/Pictures")
    #expect(await scene.refusal(link) == .wrongObject)
    #expect(try scene.list(scene.file) == before)
  }

  // The in-memory machine compares paths as text, so both names are the same file.
  @Test(arguments: GrantScene.Kind.possible.filter { $0 == .real })
  func `is on the very file that is named, and not on one whose name looks the same`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let names = ["caf\u{E9}", "cafe\u{301}"].map { "\(scene.home)/Pictures/\($0)" }
    for name in names { try scene.addFile(name, 0o640, 0) }
    _ = try await scene.service.grant(scene.request(names[0]))
    await #expect(throws: GrantError.self) {
      try await scene.service.revoke(.path(names[1], user: nil))
    }
    let paths = try await scene.service.grants().map { Array($0.path.utf8) }
    #expect(paths == [Array(names[0].utf8)])
    #expect(try await scene.service.revoke(.path(names[0], user: nil)).count == 1)
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `ends what is overdue with the next grant`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    let before = try scene.list(scene.file)
    var short = scene.request()
    short.lifetime = .seconds(1)
    let first = try await scene.service.grant(short)
    #expect(first.grant.end == first.grant.start + 1)
    await scene.end(first.grant)
    let second = try await scene.service.grant(scene.request(to: "daemon"))
    #expect(try await scene.service.grants().map(\.grant.id) == [second.grant.id])
    #expect(try scene.answer() == .refused)
    _ = try await scene.service.revoke(.path(scene.file, user: nil))
    #expect(try scene.list(scene.file) == before)
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `keeps what others were given, in whatever order it ends`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let before = try scene.list(scene.file)
    for users in [["nobody", "daemon"], ["daemon", "nobody"]] {
      let first = try await scene.service.grant(scene.request(to: "nobody"))
      let second = try await scene.service.grant(scene.request(to: "daemon"))
      #expect(first.grant.id != second.grant.id)
      let revoked = try await scene.service.revoke(.path(scene.file, user: users[0]))
      #expect(revoked.map(\.grant.userName) == [users[0]])
      #expect(try scene.answer(to: users[0]) == .refused)
      #expect(try scene.answer(to: users[1]) == .allowed)
      // A grant on a file in the album can be revoked by the kind `album`.
      #expect(try await scene.service.revoke(.kind("album", user: users[1])).count == 1)
      #expect(try scene.list(scene.file) == before)
    }
    await #expect(throws: GrantError.self) {
      try await scene.service.revoke(.path(scene.file, user: nil))
    }
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `has a permanent grant stay`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    let before = try scene.list(scene.file)
    var request = scene.request()
    request.lifetime = .permanent
    let report = try await scene.service.grant(request)
    #expect(report.ending == .nothing)
    #expect(report.grant.end == nil && report.grant.deadline == nil)
    #expect(try await scene.service.grants().map(\.isOver) == [false])
    try await scene.service.revoke(.id(report.grant.id))
    #expect(try scene.list(scene.file) == before)
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `keeps a mode that somebody set meanwhile`(kind: GrantScene.Kind) async throws {
    let scene = try GrantScene(kind)
    let report = try await scene.service.grant(scene.request())
    try scene.setMode(0o600, scene.file)
    #expect(try scene.answer() == .refused)
    try await scene.service.revoke(.id(report.grant.id))
    #expect(try scene.list(scene.file).text == "u::rw-,g::---,o::---")
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `forgets a file that went, and leaves its successor alone`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let report = try await scene.service.grant(scene.request())
    try scene.remove(scene.file)
    try scene.addFile(scene.file, 0o640, 0)
    let fresh = try scene.list(scene.file)
    _ = try await scene.service.revoke(.id(report.grant.id))
    #expect(try scene.list(scene.file) == fresh)
    #expect(try await scene.service.grants() == [])
  }

  @Test(arguments: GrantScene.Kind.possible)
  func `tells of a grant that something else took out of the list`(
    kind: GrantScene.Kind
  ) async throws {
    let scene = try GrantScene(kind)
    let report = try await scene.service.grant(scene.request())
    #expect(try await scene.service.grants().map(\.isLost) == [false])
    #expect(try await scene.service.grants().map(\.isGone) == [false])
    // Changing the mode changes the mask too, as when udev sets the mode.
    try scene.setMode(0o600, scene.file)
    #expect(try scene.answer() == .refused)
    #expect(try await scene.service.grants().map(\.isLost) == [true])
    #expect(try await scene.service.planRevoke(.id(report.grant.id)).map(\.isLost) == [true])
    let revoked = try await scene.service.revoke(.id(report.grant.id))
    #expect(revoked.map(\.isLost) == [true])
    #expect(revoked.map(\.isGone) == [false])
    // The grant is gone rather than lost, because a removed file has no list.
    _ = try await scene.service.grant(scene.request())
    try scene.remove(scene.file)
    #expect(try await scene.service.grants().map(\.isGone) == [true])
    #expect(try await scene.service.grants().map(\.isLost) == [false])
  }
}
