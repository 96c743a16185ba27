import AccessModel
import Testing

/// Directories that services and users share.
@Suite struct `A folder` {
  // MARK: - SELinux

  private static func confined(
    _ domain: String, _ path: String, fstype: String = "xfs", wanted: Permissions = .read
  ) -> Explanation {
    Fixtures.camera.with {
      $0.ask(path, .directory, mode: 0o777, wanted: wanted)
      $0.facts.access.mounts[0].fstype = "xfs"
      if fstype != "xfs" { $0.facts.access.mounts.append(Mount(at: path, fstype: fstype)) }
      $0.facts.confinement.securityModules = ["selinux"]
      $0.facts.confinement.selinuxEnforcing = true
      $0.facts.confinement.label = "system_u:system_r:\(domain):s0"
      if fstype != "xfs" { $0.check(wanted, 13) }
    }.explain()
  }

  @Test(
    arguments: [
      (
        "httpd_t", "/srv/photos", .read,
        "semanage fcontext -a -t httpd_sys_content_t '/srv/photos(/.*)?'"
      ),
      (
        "httpd_t", "/data/cloud", [.read, .write],
        "semanage fcontext -a -t httpd_sys_rw_content_t '/data/cloud(/.*)?'"
      ),
      ("smbd_t", "/srv/share", .read, "semanage fcontext -a -t samba_share_t '/srv/share(/.*)?'"),
      ("httpd_t", "/home/bob/www", .read, "setsebool -P httpd_enable_homedirs on"),
      ("httpd_t", "/etc/secrets", .read, nil), ("httpd_t", "/srv", .read, nil),
      ("init_t", "/srv/photos", .read, nil),
    ] as [(String, String, Permissions, String?)])
  func `is labelled for the domain of its service`(
    domain: String, path: String, wanted: Permissions, command: String?
  ) {
    let explanation = Self.confined(domain, path, wanted: wanted)
    #expect(explanation.answer == .allowed)
    #expect(explanation.remedies.first?.commands.first == command)
    #expect(explanation.remedies.first.map { $0.assumes?.contains("ausearch") == true } ?? true)
  }

  @Test(arguments: [("nfs4", "httpd_use_nfs"), ("cifs", "httpd_use_cifs")])
  func `on a file server needs a boolean`(fstype: String, boolean: String) {
    let explanation = Self.confined("httpd_t", "/srv/photos", fstype: fstype)
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("semanage") })
    #expect(explanation.cause?.code != .selinux || commands.first == "setsebool -P \(boolean) on")
  }

  // MARK: - Owners set by the mount

  @Test(arguments: [
    ("cifs", "noperm"), ("ntfs3", "noacsrules"), ("fuseblk", "default_permissions"),
  ])
  func `of a service is probably closed by the modes that the mount shows`(
    fstype: String, option: String
  ) throws {
    let explanation = Fixtures.camera.with {
      $0.ask("/mnt/media", .directory, mode: 0o755, wanted: [.write, .search])
      $0.facts.access.mounts.append(Mount(at: "/mnt/media", fstype: fstype))
    }.explain()
    let cause = try #require(explanation.cause)
    #expect(cause.code == .nfsIDMap && !cause.isProven)
    #expect(cause.summary.contains(option))
    #expect(explanation.answer == .undetermined)
    #expect(explanation.remedies.first?.options == ["uid=1000,gid=1000"])
  }

  // MARK: - Drives

  private static func drive(_ folder: String) -> [Remedy] {
    Fixtures.camera.with {
      $0.ask(folder + "/STICK", .directory, wanted: .read)
      $0.facts.access.nodes.removeAll { $0.path == folder + "/STICK" }
      $0.node(folder) { $0.mode = 0o750 }
      var mount = Mount(at: folder + "/STICK", fstype: "exfat")
      mount.source = "/dev/sdb1"
      $0.facts.access.mounts.append(mount)
    }.explain().remedies
  }

  @Test func `of the user's own drives gets its entry back`() throws {
    let remedies = Self.drive("/media/alice")
    let first = try #require(remedies.first)
    #expect(first.commands == ["setfacl -m u:alice:r-x /media/alice"])
    #expect(first.lasts == nil)
    let commands = remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("fstab") })
    let inMemory = Self.drive("/run/media/alice")
    #expect(inMemory.contains { $0.lasts?.contains("at the next boot") == true })
  }

  @Test func `of another user's drives is left alone, and the drive is mounted elsewhere`() {
    let commands = Self.drive("/media/bob").flatMap(\.commands)
    #expect(!commands.contains { $0.contains("setfacl -m u:alice:r-x /media/bob") })
    #expect(commands.contains { $0.contains("uid=1000,gid=1000") && $0.contains("/etc/fstab") })
  }
}
