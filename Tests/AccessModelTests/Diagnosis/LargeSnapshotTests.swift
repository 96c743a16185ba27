import AccessModel
import Testing

/// The time that computing fixes takes.
struct LargeSnapshotTests {
  /// Returns how long an explanation takes with the given number of directories, each with a mount.
  private func time(_ count: Int) -> Duration {
    let fixture = Fixtures.camera.with { fixture in
      for number in 0..<count {
        let path = "/d\(number)"
        fixture.facts.access.mounts.append(Mount(at: path, fstype: "ext4"))
        fixture.facts.access.nodes.append(
          Node(path: path, type: .directory, mode: 0o755, uid: 0, gid: 0))
      }
      fixture.session(nil, seat: nil)
    }
    return ContinuousClock().measure { #expect(!fixture.explain().remedies.isEmpty) }
  }

  @Test func `does not grow with the square of the size`() {
    let small = min(time(1000), time(1000))
    let large = min(time(8000), time(8000))
    // The count is 8 times as large; quadratic growth would take 64 times as long.
    #expect(large < small * 20, "\(small) \(large)")
  }
}
