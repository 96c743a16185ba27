import AccessModel
import Testing

/// FUSE filesystems that another user mounted.
struct FuseMountTests {
  private static func mounted(
    _ type: String, owner: UInt32 = Fixtures.bob, options: Mount.FuseOptions? = nil,
    change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    let facts = Fixtures.camera.with {
      $0.ask("/media/films", .directory, mode: 0o755, uid: owner, wanted: [.read, .search])
      var mount = Mount(at: "/media/films", fstype: type)
      mount.fuse = options
      $0.facts.access.mounts.append(mount)
      change(&$0)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    return ((try? JSON.decode(AccessFacts.self, JSON.encode(facts))) ?? facts).explain()
  }

  @Test(arguments: ["fuse", "fuse.sshfs", "fuse.rclone", "fuse.gocryptfs", "fuse.mergerfs"])
  func `lets in only who mounted it, for all that its modes say`(type: String) throws {
    let explanation = Self.mounted(type)
    #expect(explanation.answer == .undetermined)
    let cause = try #require(explanation.cause)
    #expect(cause.code == .fuseOtherUser && !cause.isProven)
    #expect(cause.summary.contains("bob (1001), who mounted it"))
    #expect(explanation.remedies.first?.options == ["-o allow_other,default_permissions"])
    #expect(explanation.remedies.map(\.commands).joined().allSatisfy { !$0.contains("chmod") })
  }

  @Test func `tells a refusal by its options, to root as well`() {
    for user in [0, Fixtures.alice] {
      let explanation = Self.mounted(
        "fuse.sshfs", options: Mount.FuseOptions(user: Fixtures.bob, allowsOthers: false)
      ) {
        $0.facts.access.subject = Subject(uid: user, gid: user)
        $0.check([.read, .search], 13)
      }
      #expect(explanation.answer == .refused)
      #expect(explanation.cause?.code == .fuseOtherUser && explanation.cause?.isProven == true)
      #expect(explanation.cause?.summary.contains("without the allow_other option") == true)
    }
  }

  @Test func `runs a service as the user who mounted it`() {
    let explanation = Self.mounted("fuse") {
      $0.serve("minidlna.service")
      $0.facts.origin = SubjectOrigin(.unit, name: "minidlna.service", source: .manager)
    }
    #expect(explanation.remedies.contains { $0.commands.contains { $0.contains("User=bob") } })
  }

  @Test func `is not the cause where others are let in, or the user mounted it`() {
    let open = Mount.FuseOptions(user: Fixtures.bob, allowsOthers: true)
    let own = Mount.FuseOptions(user: Fixtures.alice, allowsOthers: false)
    let others = [
      Self.mounted("fuse", options: open), Self.mounted("fuse", options: own),
      Self.mounted("fuse", owner: Fixtures.alice), Self.mounted("fuse", owner: 0),
      Self.mounted("fuseblk"), Self.mounted("fuse") { $0.check([.read, .search], 0) },
    ]
    for explanation in others { #expect(explanation.cause?.code != .fuseOtherUser) }
  }
}
