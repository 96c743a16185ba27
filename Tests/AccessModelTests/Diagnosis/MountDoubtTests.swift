import AccessModel
import Testing

/// Filesystem properties that the kernel's own check ignores.
@Suite struct `What a mount may forbid` {
  /// The check ignores the `nodev` flag, and does not reveal where a link leads.
  @Test(arguments: ["/srv/cam/video9", "/link"])
  func `a grant by the kernel's check alone opens no device on a mount that may forbid them`(
    path: String
  ) {
    let device = Fixtures.camera.with {
      $0.facts.access.mounts.append(Mount(at: "/srv/cam", fstype: "tmpfs"))
      $0.ask("/srv/cam/video9", mode: 0o666)
      $0.add("/link", .symbolicLink)
      $0.node("/link") { $0.target = "srv/cam/video9" }
      $0.facts.access.request = Question(.path(path)).request(for: path, type: .characterDevice)
      $0.facts.access.nodes.reverse()
      $0.check([.read, .write], 0)
    }
    #expect(device.explain().answer == .allowed)
    for element in [Mount.Element.flags, .superblockNodev] {
      let hidden = device.with { $0.facts.access.mounts[2].unobserved = [element] }
      #expect(hidden.explain().answer == .undetermined)
    }
    // Another mount on the path is not the one that contains the device.
    let elsewhere = device.with { $0.facts.access.mounts[0].unobserved = [.superblockNodev] }
    #expect(elsewhere.explain().answer == .allowed)
  }

  /// The filesystem that was mounted last covers the mount point.
  @Test(arguments: [(["vfat", "ext4"], Answer.undetermined), (["ext4", "vfat"], .allowed)])
  func `whether a file may be append-only is told by the filesystem that it is on`(
    types: [String], answer: Answer
  ) {
    let file = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.facts.access.mounts += types.map { Mount(at: "/srv", fstype: $0) }
      $0.facts.access.mounts[3].unobserved = [.flags]
      $0.node("/srv/file") { $0.unobserved = [.flags] }
      $0.check([.read, .write], 0)
    }
    #expect(file.explain().answer == answer)
  }
}
