import Testing

@testable import AccessModel
@testable import LinuxDevices

/// Adds the printed fix to the settings of a service that may not write, and asks again.
@Suite("The setting that lets a service write a path")
struct ProtectedPathFixTests {
  private static func facts(_ lines: String, _ path: String) throws -> AccessFacts {
    let directories = ["/", "/etc", "/home", "/home/ann", "/srv", "/srv/a", "/usr"]
    var nodes = directories.map { Node(path: $0, type: .directory, mode: 0o777, uid: 0, gid: 0) }
    nodes += ["/etc/x", "/home/ann/x", "/srv/a/x", "/usr/x"].map {
      Node(path: $0, type: .regular, mode: 0o666, uid: 1000, gid: 1000)
    }
    var usr = Mount(at: "/usr", fstype: "ext4")
    usr.readOnly = true
    var access = AccessCase(
      protectedSymlinks: true,
      mounts: [Mount(at: "/", fstype: "ext4"), Mount(at: "/srv", fstype: "ext4"), usr],
      nodes: nodes, subject: Subject(uid: 1000, gid: 1000),
      request: .open(path: path, flags: [.readWrite]))
    let file = UnitFile(parsing: Array("[Service]\n\(lines)".utf8))
    let settings = UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
    var overlay = UnitOverlay(settings, roots: MachineRoots())
    overlay.apply(to: &access)
    var facts = AccessFacts(access: access)
    facts.confinement.unit = "x.service"
    facts.confinement.service = ServiceFacts()
    facts.confinement.service?.protected = overlay.protected
    return facts
  }

  @Test(
    arguments: [
      ("ProtectSystem=strict", "/srv/a/x", true), ("ProtectSystem=strict", "/etc/x", true),
      ("ProtectSystem=full", "/etc/x", true), ("ProtectHome=read-only", "/home/ann/x", true),
      ("ReadOnlyPaths=/srv", "/srv/a/x", true), ("ReadOnlyPaths=/srv/a", "/srv/a/x", true),
      ("ReadOnlyPaths=/srv/a/x", "/srv/a/x", false), ("ProtectSystem=strict", "/usr/x", false),
      ("ProtectSystem=yes", "/usr/x", false), ("", "/usr/x", false),
    ])
  func `is printed where it helps, and then helps`(
    lines: String, path: String, isSpared: Bool
  ) throws {
    let facts = try Self.facts(lines, path)
    let explanation = facts.explain()
    #expect(explanation.decision.rule == .mountReadOnly)
    let setting = "ReadWritePaths=\(path)"
    let printed = explanation.remedies.filter { remedy in
      remedy.commands.contains { $0.contains(setting) }
    }
    #expect(printed.isEmpty != isSpared)
    #expect(printed.allSatisfy { $0.assumes == nil })
    let after = try Self.facts("\(lines)\n\(setting)", path).explain()
    #expect((after.answer == .allowed) == isSpared)
    let remounts = explanation.remedies.contains { remedy in
      remedy.commands.contains { $0.hasPrefix("mount -o remount") }
    }
    #expect(remounts == (path == "/usr/x"), "no remount outlasts a setting")
    let isCertain = explanation.remedies.contains { $0.assumes == nil }
    #expect(isCertain == (isSpared || lines.isEmpty))
  }
}
