import AccessModel
import Testing

/// Objects for which no fix is offered, because access to them amounts to root privileges.
@Suite struct `An object that gives root` {
  private static func explain(
    _ path: String, _ type: FileType = .regular, mode: UInt16 = 0o644, gid: UInt32 = 0,
    wanted: Permissions = .write, _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.facts.account.groupNames[6] = "disk"
      $0.facts.account.groupNames[999] = "docker"
      $0.ask(path, type, mode: mode, gid: gid, wanted: wanted)
      $0.facts.devices = []
      change(&$0)
    }.explain()
  }

  @Test(arguments: [
    "/etc/passwd", "/etc/group", "/etc/pam.d/su", "/usr/bin/bash",
    "/usr/lib/x86_64-linux-gnu/libc.so.6", "/etc/cron.d/job", "/var/spool/cron/crontabs/root",
    "/etc/systemd/system/a.service", "/etc/udev/rules.d/9.rules", "/etc/sudoers.d/x",
    "/etc/ld.so.preload", "/usr/lib/modules/6.1/kernel/x.ko", "/boot/grub/grub.cfg",
    "/root/.ssh/authorized_keys", "/opt/tool/bin/tool", "/usr/local/lib/libx.so", "/etc/fstab",
    "/var/lib/dpkg/info/x.postinst", "/proc/sys/kernel/core_pattern", "/etc/made-up.conf",
  ])
  func `is no fix to write to`(path: String) {
    let explanation = Self.explain(path, mode: path.contains("/bin/") ? 0o755 : 0o644)
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
    #expect(explanation.note?.hasPrefix(path + " ") == true)
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }

  @Test(arguments: ["/", "/etc", "/usr", "/var", "/var/lib", "/home", "/dev", "/etc/cron.d"])
  func `is a directory in which it could be replaced`(path: String) {
    let explanation = Self.explain(path, .directory, mode: 0o755)
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }

  @Test func `is a directory in which a file would be created`() {
    let explanation = Self.explain("/etc/cron.d", .directory, mode: 0o755) {
      $0.facts.access.request = .open(path: "/etc/cron.d/x", flags: [.writeOnly, .create])
    }
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty)
    #expect(explanation.note?.hasPrefix("/etc/cron.d holds jobs that root runs") == true)
  }

  @Test(arguments: [
    "/srv/data/x", "/var/www/html/index.html", "/opt/tool/data/x", "/var/lib/tool/x", "/mnt/x",
    "/etc-old/passwd", "/usr2/bin/x", "/var/log/x.log",
  ])
  func `is not any file of root`(path: String) {
    let explanation = Self.explain(path)
    #expect(!explanation.remedies.isEmpty)
    #expect(explanation.note == nil)
  }

  @Test func `is not a file that is to be read, and is not a user's own`() {
    let read = Self.explain("/etc/tool.conf", mode: 0o600, wanted: .read)
    #expect(!read.remedies.isEmpty)
    let own = Self.explain("/etc/tool.conf", mode: 0o400) {
      $0.node("/etc/tool.conf") { $0.uid = Fixtures.alice }
    }
    #expect(own.remedies.first?.commands == ["chmod u+w /etc/tool.conf"])
    let ofService = Self.explain("/etc/tool.conf") {
      $0.node("/etc/tool.conf") { $0.uid = 105 }
    }
    #expect(!ofService.remedies.isEmpty)
  }

  @Test(arguments: [
    "/etc/shadow", "/root/.bash_history", "/etc/ssl/private/a.pem", "/etc/ssh/ssh_host_rsa_key",
    "/etc/wireguard/wg0.conf", "/etc/NetworkManager/system-connections/home", "/etc/app/tls.key",
    "/var/lib/docker/volumes/x/_data/y",
  ])
  func `is a secret that is to be read`(path: String) {
    let explanation = Self.explain(path, mode: 0o600, wanted: .read)
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }

  @Test func `is not reached by opening the home directory of root`() {
    let explanation = Self.explain("/root/app/main.py", wanted: .read) {
      $0.node("/root") { $0.mode = 0o700 }
    }
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.map(\.title).count == 1)
    #expect(explanation.remedies.first?.title.hasPrefix("Move the files") == true)
    #expect(explanation.remedies.allSatisfy { $0.commands.isEmpty && $0.options.isEmpty })
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }

  @Test(arguments: ["/dev/sda", "/dev/sda1", "/dev/nvme0n1", "/dev/loop0", "/dev/dm-0"])
  func `is a block device, however it is asked for`(path: String) {
    for wanted in [Permissions.read, .write, [.read, .write]] {
      let explanation = Self.explain(
        path, .blockDevice, mode: 0o660, gid: 6, wanted: wanted)
      #expect(explanation.answer == .refused)
      #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
      #expect(explanation.note?.contains("udisks") == true)
    }
  }

  @Test func `is a disk that only the engine of a container hands over`() {
    let explanation = Self.explain("/dev/sda", .blockDevice, mode: 0o666, gid: 6) {
      $0.contain("docker")
      $0.check(.write, 1)
    }
    #expect(explanation.remedies.flatMap(\.commands) == [])
    #expect(
      explanation.remedies.contains { $0.options.contains("--device=/dev/sda:/dev/sda:w") },
      "\(explanation.remedies.map(\.options))")
  }

  @Test func `is not an optical drive`() {
    let explanation = Self.explain("/dev/sr0", .blockDevice, mode: 0o660, gid: 24) {
      var device = DeviceFacts(
        node: "/dev/sr0", sysfsPath: "/sys/devices/x/block/sr0", subsystem: "block",
        kernelName: "sr0")
      device.number = $0.facts.access.object(at: "/dev/sr0")?.rdev
      device.properties = ["ID_CDROM": "1"]
      $0.facts.devices = [device]
    }
    #expect(!explanation.remedies.isEmpty)
  }

  @Test(arguments: ["/dev/sg0", "/dev/nvme0", "/dev/mtd0", "/dev/loop-control"])
  func `is a device that reaches past permissions as a disk does`(path: String) {
    let explanation = Self.explain(path, .characterDevice, mode: 0o660, gid: 6)
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }

  @Test func `is no device or socket that only root has`() {
    for type in [FileType.characterDevice, .socket] {
      let explanation = Self.explain("/dev/thing", type, mode: 0o600, wanted: [.read, .write])
      #expect(!explanation.remedies.isEmpty)
    }
  }

  @Test(arguments: ["/dev/sg1", "/dev/sgx_enclave"])
  func `is not each device with such a name`(path: String) {
    #expect(!Self.explain(path, .characterDevice, mode: 0o660, gid: 44).remedies.isEmpty)
  }

  @Test(arguments: ["/run/docker.sock", "/run/podman/podman.sock"])
  func `is the socket of a service that runs commands as root`(path: String) {
    let explanation = Self.explain(path, .socket, mode: 0o660, gid: 999, wanted: [.read, .write])
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
    #expect(explanation.note?.contains("runs commands as root") == true)
  }

  @Test func `is not opened through a group that is as good as root`() {
    let explanation = Self.explain("/srv/images", .directory, mode: 0o770, gid: 999)
    #expect(!explanation.remedies.isEmpty)
    #expect(!explanation.remedies.contains { $0.commands.contains { $0.contains("usermod") } })
    #expect(!explanation.remedies.contains { $0.commands.contains { $0.contains("docker") } })
  }

  @Test func `leaves to a member of the group what the database says`() {
    let explanation = Self.explain("/run/docker.sock", .socket, mode: 0o660, gid: 999) {
      $0.facts.account.loginGroups?.append(999)
    }
    #expect(explanation.remedies.first?.title == "Log out of all sessions, then log in again")
    #expect(explanation.remedies.allSatisfy { $0.changes == [.logIn] })
    // The note must not contradict the fix.
    #expect(explanation.note?.contains("Do not grant access.") != true)
  }

  @Test func `stays root's own to mend`() {
    let (guarded, other) = (Self.readOnly("/etc/passwd"), Self.readOnly("/srv/x"))
    #expect(guarded.answer == .refused)
    #expect(guarded.remedies.map(\.commands) == other.remedies.map(\.commands))
    #expect(guarded.note == other.note)
  }

  /// Explains a file to root on a filesystem that is mounted read-only.
  private static func readOnly(_ path: String) -> Explanation {
    explain(path) {
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.facts.access.subject.permitted = .all
      $0.facts.access.subject.effective = .all
      $0.facts.access.mounts[0].readOnly = true
    }
  }

  @Test func `belongs to the root of a user namespace as well`() {
    let explanation = Self.explain("/etc/passwd") {
      let map = IDMap([.init(inside: 0, outside: 100_000, length: 65_536)])
      $0.facts.access.subject = Subject(uid: 101_000, gid: 101_000)
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      for index in $0.facts.access.nodes.indices {
        $0.facts.access.nodes[index].uid = 100_000
        $0.facts.access.nodes[index].gid = 100_000
      }
    }
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty, "\(explanation.remedies.map(\.commands))")
  }

  @Test(arguments: [
    ("/etc/passwd", FileType.regular, UInt32(0)), ("/usr/bin/bash", .regular, 0),
    ("/dev/sda", .blockDevice, 6), ("/dev/mem", .characterDevice, 15),
  ])
  func `gets no grant, even as a part of an album`(path: String, type: FileType, gid: UInt32) {
    let facts = Fixtures.camera.with {
      $0.facts.account.groupNames[6] = "disk"
      $0.ask(path, type, mode: 0o640, gid: gid, wanted: .write)
    }.facts
    let album = GrantPlan.Album(path: type == .regular ? "/" : "/x", owner: 0)
    let error = #expect(throws: GrantError.self) { try GrantPlan(facts, album: album) }
    #expect(error?.code == .wrongObject)
    #expect(error?.reason.hasPrefix("it ") == true)
  }
}
