import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `What settings do to paths` {
  @Test func `order what they do to directories as systemd does`() throws {
    let rules = try rules(
      """
      ProtectHome=yes
      ReadWritePaths=/home/alice /srv/b
      ReadOnlyPaths=/srv //srv/./b/
      InaccessiblePaths=-/srv/c
      """)
    #expect(
      rules.map { "\($0.path.path) \($0.effect)" } == [
        "/home hidden", "/root hidden", "/run/user hidden", "/srv readOnly", "/srv/b readOnly",
        "/srv/c hidden",
      ])
  }

  @Test func `are about the very bytes of paths`() throws {
    let rules = try rules(
      "InaccessiblePaths=/srv/caf\u{E9} /\u{301}x\nReadOnlyPaths=/srv/cafe\u{301}/b")
    #expect(
      Set(rules.map { Array($0.path.path.utf8) })
        == Set(["/srv/caf\u{E9}", "/\u{301}x", "/srv/cafe\u{301}/b"].map { Array($0.utf8) }))
  }

  /// Returns the rules of a unit in a tree of links; other paths lead nowhere else.
  private func rules(
    _ lines: String, links: [String: String] = [:], unseen: [String] = [], root: String? = nil
  ) throws -> [UnitPathRule] {
    var unresolved: [UnitPathRule.Unresolved] = []
    return try rules(lines, links, unseen, root, &unresolved)
  }

  private func rules(
    _ lines: String, _ links: [String: String], _ unseen: [String], _ root: String?,
    _ unresolved: inout [UnitPathRule.Unresolved], missing: [String] = []
  ) throws -> [UnitPathRule] {
    let places = UnitPathResolver(root: root.map { UnitPath($0) }) { path in
      if missing.contains(path) { return .missing }
      if path.hasPrefix("/file/") { return .unseen(.notDirectory) }
      if unseen.contains(path) { return .unseen(.permissionDenied) }
      return links[path].map { .link(to: $0) } ?? .other
    }
    let file = UnitFile(parsing: Array("[Service]\n\(lines)".utf8))
    let settings = UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
    return UnitPathRule.rules(
      for: settings, at: places, unresolved: &unresolved)
  }

  @Test(arguments: [
    ("InaccessiblePaths=/srv/link", ["/srv/real"]),
    ("InaccessiblePaths=/srv/link/../x", []), ("InaccessiblePaths=-/srv/up/y", ["/y"]),
    ("ProtectHome=yes", ["/root", "/run/user", "/var/home"]),
    ("InaccessiblePaths=/srv/link /srv", ["/srv"]),
    ("InaccessiblePaths=/srv/out", ["/opt"]),
    // A path that is hidden before it is followed leads nowhere.
    ("InaccessiblePaths=/srv /srv/out", ["/srv"]),
    ("InaccessiblePaths=/srv/loop", []),
  ])
  func `follow links`(lines: String, expected: [String]) throws {
    let links = [
      "/srv/link": "real", "/srv/up": "../../..", "/home": "var/home", "/srv/out": "/opt",
      "/srv/loop": "loop",
    ]
    #expect(try rules(lines, links: links).map(\.path.path) == expected)
  }

  @Test func `doubt a path that cannot be followed`() throws {
    var unresolved: [UnitPathRule.Unresolved] = []
    let lines = "InaccessiblePaths=/root/x /srv/link\nProtectHome=tmpfs\nReadOnlyPaths=/home/link"
    let found = try rules(
      lines, ["/srv/link": "/home/x", "/home/link": "/opt", "/root/x": "/y"], ["/root/x"], nil,
      &unresolved)
    #expect(Set(found.map(\.path.path)) == ["/home", "/root", "/run/user", "/home/x"])
    #expect(Set(unresolved.map(\.rule.path.path)) == ["/root/x", "/home/link"])
  }

  @Test(arguments: [
    ("InaccessiblePaths=/x", []), ("InaccessiblePaths=+/x", ["/x"]),
    ("InaccessiblePaths=-+/x", ["/x"]), ("InaccessiblePaths=/r/x", ["/x"]),
    ("InaccessiblePaths=/r", ["/"]), ("ReadOnlyPaths=/rx", []),
    ("ProtectSystem=yes", ["/boot", "/efi", "/usr"]),
  ])
  func `start at the unit's root directory where systemd does`(
    lines: String, expected: [String]
  ) throws {
    #expect(try rules(lines, root: "/r").map(\.path.path) == expected)
  }

  /// Units like these start on systemd 252, or fail to start.
  @Test(arguments: [
    ("ReadWritePaths=/srv/gone", true), ("InaccessiblePaths=/srv/gone", true),
    ("ReadOnlyPaths=/srv/gone", true), ("ReadWritePaths=/srv/dangling", true),
    ("ReadWritePaths=-/srv/gone -/srv/dangling", false), ("ReadWritePaths=-/file/x", true),
    ("ReadWritePaths=-/srv/loop", true), ("ReadWritePaths=/closed/x", false),
    // A path needs no change if another setting already covers everything around it.
    ("ReadOnlyPaths=/srv /srv/gone", false), ("ReadWritePaths=/srv /srv/gone", false),
    ("ProtectSystem=strict\nReadOnlyPaths=/srv/gone", false),
    ("ProtectSystem=strict\nReadWritePaths=/home/gone", true),
    ("InaccessiblePaths=/srv\nReadWritePaths=/srv/gone", false),
    ("ReadOnlyPaths=/srv /srv/gone\nBindPaths=/x:/srv/y", false),
    ("ReadOnlyPaths=/srv /srv/gone\nTemporaryFileSystem=/srv", true),
    // systemd creates some of the paths first.
    ("ReadWritePaths=/run/gone\nRuntimeDirectory=gone", false),
    ("ReadWritePaths=/run/gone\nRuntimeDirectory=gone/x:y", false),
    ("ReadWritePaths=/run/gone/x\nRuntimeDirectory=gone", true),
    ("ReadWritePaths=/run/gone\nRuntimeDirectory=gone\nRuntimeDirectory=", true),
    ("ReadWritePaths=/var/lib/gone\nStateDirectory=gone", false),
    ("ReadWritePaths=/srv/gone\nBindPaths=/x:/srv/gone", false),
    ("InaccessiblePaths=/srv/gone\nBindPaths=/x:/srv/gone", true),
    ("ReadWritePaths=/srv/gone\nTemporaryFileSystem=/srv/gone", true),
    ("ProtectKernelTunables=yes\nProtectKernelModules=yes", false),
  ])
  func `keep a unit from starting where one is missing`(lines: String, isKept: Bool) throws {
    var unresolved: [UnitPathRule.Unresolved] = []
    let missing = [
      "/srv/gone", "/home/gone", "/run/gone", "/run/gone/x", "/var/lib/gone", "/proc/apm",
      "/lib/modules",
    ]
    _ = try rules(
      lines, ["/srv/dangling": "gone", "/srv/loop": "loop"], ["/closed/x"], nil, &unresolved,
      missing: missing)
    #expect(unresolved.contains(where: \.preventsStart) == isKept)
  }
}
