import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `What systemd makes for a unit` {
  /// Returns a case with files that belong to root, and a directory of user 1000 in `/var/lib`.
  private func access(_ path: String, _ permissions: Permissions) -> AccessCase {
    let directories = ["/", "/dev", "/etc", "/etc/a", "/run", "/var", "/var/lib"]
    var nodes = directories.map { Node(path: $0, type: .directory, mode: 0o755, uid: 0, gid: 0) }
    nodes += ["/var/lib/a", "/var/lib/own"].map {
      Node(path: $0, type: .directory, mode: 0o700, uid: $0 == "/var/lib/a" ? 0 : 1000, gid: 1000)
    }
    nodes += ["/var/lib/a/x", "/var/lib/own/x", "/etc/a/x"].map {
      Node(path: $0, type: .regular, mode: 0o600, uid: 0, gid: 0)
    }
    var terminal = Node(path: "/dev/tty5", type: .characterDevice, mode: 0o600, uid: 0, gid: 5)
    terminal.rdev = DeviceNumber(major: 4, minor: 5)
    nodes.append(terminal)
    return UnitCase.access(
      nodes, .access(path: path, mode: permissions, effective: true, noFollow: false))
  }

  private func outcome(
    _ lines: String, _ path: String, _ permissions: Permissions = [.read, .write]
  ) throws -> String {
    let settings = try UnitCase.settings(lines)
    var access = access(path, permissions)
    let known = Set(access.nodes.map(\.path))
    let places = UnitPathResolver { known.contains($0) ? .other : .missing }
    var overlay = UnitOverlay(
      settings, of: "x.service", roots: MachineRoots(),
      owner: UnitOwner(user: 1000, group: 1000, root: 0, rootGroup: 0), places: places)
    overlay.apply(to: &access)
    return UnitCase.outcome(access)
  }

  @Test(arguments: [
    ("", "/var/lib/a/x", "13 mode.group"), ("StateDirectory=a", "/var/lib/a/x", "granted"),
    ("StateDirectory=a", "/var/lib/a", "granted"),
    // The owner is correct, so the contents are not changed.
    ("StateDirectory=own", "/var/lib/own/x", "13 mode.other"),
    ("StateDirectory=a\nStateDirectoryMode=0500", "/var/lib/a", "13 mode.owner"),
    ("StateDirectory=a\nStateDirectoryMode=0500", "/var/lib/a/x", "granted"),
    ("StateDirectory=b", "/var/lib/b", "granted"), ("", "/var/lib/b", "2 walk.noent"),
    ("StateDirectory=b/c", "/var/lib/b/c", "granted"),
    ("StateDirectory=b/c", "/var/lib/b", "13 mode.other"),
    ("StateDirectory=b", "/var/lib/c", "2 walk.noent"),
    ("RuntimeDirectory=r\nProtectSystem=strict", "/run/r", "granted"),
    ("ConfigurationDirectory=a", "/etc/a/x", "13 mode.other"),
    ("ConfigurationDirectory=b", "/etc/b", "granted"),
    ("StateDirectory=b:l", "/var/lib/l", "undecided"),
    ("StateDirectory=b::ro", "/var/lib/b", "30 mount.readonly"),
    ("StateDirectory=a::ro", "/var/lib/a/x", "30 mount.readonly"),
    ("StateDirectory=a::ro\nStateDirectory=\nStateDirectory=a", "/var/lib/a/x", "granted"),
    ("DynamicUser=yes\nStateDirectory=b", "/var/lib/b", "undecided"),
    ("DynamicUser=yes\nStateDirectory=b", "/var/lib/private/b", "undecided"),
    ("StateDirectory=b\nRootDirectory=/r\nMountAPIVFS=no", "/var/lib/b", "undecided"),
    ("ExecStart=+/x\nUser=ann\nStateDirectory=a", "/var/lib/a/x", "granted"),
  ])
  func `are its directories`(lines: String, path: String, expected: String) throws {
    #expect(try outcome(lines, path) == expected)
  }

  @Test func `can be read where it is read-only`() throws {
    #expect(try outcome("StateDirectory=b::ro", "/var/lib/b", [.read]) == "granted")
  }

  @Test(arguments: [
    ("User=ann\nTTYPath=/dev/tty5", "13 mode.other"),
    ("StandardInput=tty\nTTYPath=/dev/tty5", "13 mode.other"),
    ("User=ann\nStandardInput=tty\nTTYPath=/dev/tty6", "13 mode.other"),
    ("User=ann\nStandardInput=tty-force\nTTYPath=/dev/tty5", "granted"),
    ("User=ann\nStandardInput=tty\nTTYPath=/dev/tty5\nPrivateDevices=yes", "2 walk.noent"),
    ("User=ann\nStandardInput=tty\nTTYPath=/dev/tty5\nDevicePolicy=strict", "1 devcg"),
  ])
  func `is its terminal`(lines: String, expected: String) throws {
    #expect(try outcome(lines, "/dev/tty5") == expected)
  }

  @Test(arguments: [
    ("", "/run/credentials/x.service/key", "2 walk.noent"),
    ("SetCredential=key:x", "/run/credentials/x.service/key", "undecided"),
    ("SetCredential=key:x\nSetCredential=", "/run/credentials/x.service/key", "2 walk.noent"),
    ("LoadCredential=key:/x", "/run/credentials/y.service/key", "2 walk.noent"),
    ("PrivateTmp=yes", "/run/credentials/y.service/key", "undecided"),
    ("PrivateMounts=yes", "/run/credentials/y.service/key", "undecided"),
    ("MountFlags=shared", "/run/credentials/y.service/key", "2 walk.noent"),
    ("ExecStart=+/x\nProtectHome=yes", "/run/credentials/y.service/key", "undecided"),
  ])
  func `are its credentials`(lines: String, path: String, expected: String) throws {
    #expect(try outcome(lines, path, [.read]) == expected)
  }
}
