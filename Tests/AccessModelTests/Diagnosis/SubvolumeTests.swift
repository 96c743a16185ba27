import AccessModel
import Testing

/// Writing on a filesystem whose subvolumes can be read-only although no mount shows it.
struct SubvolumeTests {
  private static func picture(
    on fstype: String, _ type: FileType = .regular, mode: UInt16 = 0o666,
    wanted: Permissions = [.read, .write]
  ) -> Fixtures {
    Fixtures.camera.with {
      $0.facts.access.mounts.append(Mount(at: "/srv", fstype: fstype))
      $0.ask("/srv/snapshots/a", type, mode: mode, wanted: wanted)
      $0.facts.devices = []
    }
  }

  @Test(arguments: ["btrfs", "bcachefs"])
  func `only the kernel tells whether it can be written`(fstype: String) {
    let file = Self.picture(on: fstype)
    #expect(file.explain().answer == .undetermined)
    #expect(file.explain().cause?.summary.contains("subvolume of \(fstype)") == true)
    #expect(file.with { $0.check([.read, .write], 0) }.explain().answer == .allowed)
    #expect(file.with { $0.check([.read, .write], 30) }.explain().answer != .allowed)
  }

  @Test func `a name in a directory is created under the same doubt`() {
    let fixture = Self.picture(on: "btrfs").with {
      $0.add("/srv/snapshots", .directory, mode: 0o777)
      $0.facts.access.nodes.removeAll { $0.path == "/srv/snapshots/a" }
      $0.facts.access.request = .open(path: "/srv/snapshots/a", flags: [.writeOnly, .create])
    }
    #expect(fixture.explain().answer == .undetermined)
  }

  @Test func `reading, devices and other filesystems are decided`() {
    #expect(Self.picture(on: "btrfs", wanted: .read).explain().answer == .allowed)
    #expect(Self.picture(on: "btrfs", .fifo).explain().answer == .allowed)
    #expect(Self.picture(on: "ext4").explain().answer == .allowed)
  }

  @Test func `a fix for somebody else assumes that it can be written`() {
    let remedies = Self.picture(on: "btrfs", mode: 0o600).explain().remedies
    #expect(!remedies.isEmpty)
    #expect(remedies.allSatisfy { $0.assumes?.contains("is not read-only") == true })
  }

  @Test func `a fix is proven where the kernel refused by the mode`() {
    let fixture = Self.picture(on: "btrfs", mode: 0o600).with { $0.check([.read, .write], 13) }
    #expect(fixture.explain().remedies.first?.isProven == true)
  }
}
