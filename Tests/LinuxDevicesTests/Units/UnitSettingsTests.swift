import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `Unit settings` {
  private func settings(_ lines: String, unit: String = "x") throws -> UnitSettings {
    let file = UnitFile(parsing: Array("[Service]\n\(lines)".utf8))
    return UnitSettingsReader.settings(of: try #require(UnitName(unit)), files: [file])
  }

  @Test func `are the last ones, and an empty value empties a list`() throws {
    let settings = try settings(
      """
      User=alice
      User=bob
      Group=
      SupplementaryGroups=video 'audio'
      SupplementaryGroups=
      SupplementaryGroups=render
      SupplementaryGroups=44
      """)
    #expect(settings.user == "bob")
    #expect(settings.group == nil)
    #expect(settings.supplementaryGroups == ["render", "44"])
    // No group has this name, so systemd does not start the unit.
    #expect(
      try self.settings("SupplementaryGroups='audio' a").supplementaryGroups == ["'audio'", "a"])
  }

  @Test func `of another section do not count`() throws {
    let file = UnitFile(parsing: Array("[Unit]\nUser=alice\n[Install]\nUser=bob".utf8))
    #expect(
      UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
        == UnitSettings())
  }

  @Test(arguments: [
    ("CAP_CHOWN cap_fowner", [Capability.changeOwner, .actAsFileOwner]), ("", []), ("CAP_NONE", []),
  ])
  func `hold a bounding set`(value: String, expected: [Capability]) throws {
    #expect(
      try settings("CapabilityBoundingSet=\(value)").boundingSet == CapabilitySet(expected))
  }

  @Test func `unite capability sets, and take away behind a tilde`() throws {
    let united = try settings(
      "CapabilityBoundingSet=CAP_CHOWN\nCapabilityBoundingSet=CAP_FOWNER CAP_MKNOD\n"
        + "CapabilityBoundingSet=~CAP_CHOWN")
    #expect(united.boundingSet == [.actAsFileOwner, .makeDeviceNodes])
    let less = try settings("CapabilityBoundingSet=~CAP_CHOWN")
    #expect(less.boundingSet == CapabilitySet.all.subtracting([.changeOwner]))
    #expect(try settings("CapabilityBoundingSet=~").boundingSet == .all)
    #expect(try settings("").boundingSet == .all)
    let ambient = try settings("AmbientCapabilities=CAP_CHOWN\nAmbientCapabilities=")
    #expect(ambient.ambientSet.isEmpty)
  }

  @Test func `imply others`() throws {
    let dynamic = try settings("DynamicUser=yes")
    #expect(dynamic.protectSystem == .strict)
    #expect(dynamic.protectHome == .readOnly)
    #expect(dynamic.noNewPrivileges)
    #expect(dynamic.replacedPaths.map(\.path) == ["/tmp", "/var/tmp"])
    let devices = try settings("PrivateDevices=on")
    #expect(devices.devicePolicy == .closed)
    #expect(!devices.boundingSet.contains(.makeDeviceNodes))
    let strict = try settings("PrivateDevices=1\nDevicePolicy=strict")
    #expect(strict.devicePolicy == .strict)
    #expect(try settings("ProtectClock=yes").deviceAllow.isEmpty)
    let clock = try settings("ProtectClock=yes\nDevicePolicy=closed")
    #expect(clock.deviceAllow.map(\.specifier) == ["char-rtc"])
    #expect(try settings("ProtectHome=true").protectHome == .yes)
    #expect(try settings("ProtectHome=tmpfs").protectHome == .tmpfs)
  }

  @Test(arguments: [
    ("PrivateDevices=perhaps", true), ("DevicePolicy=open", true), ("ProtectHome=maybe", true),
    ("DeviceAllow=/dev/x rz", true), ("SecureBits=most", true),
    ("ProtectSystem=\u{1B}[31m", true), ("PrivateUsers=managed", true), ("DynamicUser=2", true),
    ("InaccessiblePaths=/srv/../srv", true), ("ReadOnlyPaths=/%m", true),
    ("BindPaths=/a:/b/../c", true), ("MountAPIVFS=some", true),
    ("PrivateDevices=1\nPrivateDevices=", true),
    ("CapabilityBoundingSet=CAP_UNKNOWN", false), ("InaccessiblePaths=srv", false),
    ("PrivateTmp=apart", false), ("ReadWritePaths=/srv/../srv", false), ("BindPaths=a:b", false),
  ])
  func `that are not known are told, and doubted where they may restrict`(
    line: String, isDoubted: Bool
  ) throws {
    let settings = try settings(line)
    #expect(settings.doubts.count == (isDoubted ? 1 : 0))
    #expect(settings.problems.count == (isDoubted ? 0 : 1))
    let reported = settings.problems + settings.doubts.map(\.reason)
    #expect(reported.allSatisfy { !$0.contains("\u{1B}") })
    #expect(settings.deviceAllow.isEmpty)
    #expect(settings.devicePolicy == (settings.privateDevices ? .closed : .auto))
  }

  @Test(arguments: [
    "PrivateDevices=perhaps\nPrivateDevices=no", "ProtectHome=maybe\nProtectHome=yes",
    "PrivateUsers=managed\nPrivateUsers=self", "InaccessiblePaths=/a/../b\nInaccessiblePaths=",
    "User=%m\nUser=ann", "DeviceAllow=/dev/x rz\nDeviceAllow=", "ProtectHome=", "PrivateDevices=",
    "DevicePolicy=", "PrivateUsers=",
  ])
  func `that are known end the doubt about those before`(lines: String) throws {
    #expect(try settings(lines).doubts == [])
  }

  @Test(arguments: [("yes", 2), ("disconnected", 2), ("apart", 2), ("no", 0), ("", 0)])
  func `may give the unit folders of its own for temporary files`(
    value: String, count: Int
  ) throws {
    let settings = try settings("PrivateTmp=\(value)")
    #expect(settings.replacedPaths.count == count)
    #expect(settings.doubts == [])
  }

  @Test func `name what is put at another place`() throws {
    let settings = try settings(
      """
      BindPaths=/a:/b:norbind -/c /e\\:f:/g\\:h "/i j:k"
      BindReadOnlyPaths=/d
      TemporaryFileSystem=/var:ro
      RootDirectory=/srv/root
      """)
    #expect(settings.replacedPaths.map(\.path) == ["/b", "/c", "/g:h", "/i j:k", "/d", "/var"])
    #expect(
      settings.replacedPaths.map(\.source) == ["/a", "/c", "/e:f", "/i j:k", "/d", nil])
    #expect(settings.replacedPaths.filter(\.isOptional).map(\.path) == ["/c"])
    #expect(settings.rootSetting == "RootDirectory=")
  }

  @Test(arguments: [
    ("", true), ("@system-service", true), ("@default @file-system", true), ("openat", true),
    ("@system-service\n~@privileged @resources", true), ("~@clock @mount", true),
    ("~bpf:EPERM", true),
    ("@default", false), ("open", false), ("openat:EPERM", false), (#""@system-service""#, false),
    ("~openat", false), ("~open:EPERM", true), ("~@file-system", false), ("~@unheard-of", false),
    ("@unheard-of", false), ("@system-service\n~@file-system", false), ("~openat\nopenat", true),
    ("@system-service\n~@file-system\n@file-system", true), ("@default\n", true), ("~", true),
  ])
  func `leave what opens files, or may not`(values: String, mayOpen: Bool) throws {
    let lines = values.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "SystemCallFilter=\($0)" }.joined(separator: "\n")
    #expect(try settings(lines).doubts == (mayOpen ? [] : [.callFilter]))
  }

  @Test(
    arguments: [
      (false, [], true), (false, ["bpf"], true), (false, ["openat"], false),
      (false, ["open:1"], true),
      (true, ["openat", "read"], true), (true, ["openat:1"], false), (true, [], false),
    ] as [(Bool, [String], Bool)])
  func `of the manager leave what opens files, or may not`(
    isAllowList: Bool, calls: [String], mayOpen: Bool
  ) {
    #expect(UnitCallFilter(isAllowList: isAllowList, calls: calls).mayOpen == mayOpen)
  }

  @Test func `that protect the kernel take capabilities away`() throws {
    let bounding = try settings("ProtectKernelModules=yes\nProtectKernelLogs=yes").boundingSet
    #expect(
      Set(CapabilitySet.all.subtracting(bounding).members.map(\.name)) == ["sys_module", "syslog"])
    #expect(try settings("ProtectKernelLogs=yes\nProtectKernelLogs=no").boundingSet == .all)
  }

  @Test func `join the user namespace of another unit with PrivateUsers alone`() throws {
    func doubts(_ lines: String) throws -> [UnitSettings.Doubt] {
      let file = UnitFile(
        parsing: Array("[Unit]\nJoinsNamespaceOf=y.service\n[Service]\n\(lines)".utf8))
      return UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file]).doubts
    }
    #expect(try doubts("PrivateUsers=yes") == [.sharedUsers])
    #expect(try doubts("PrivateTmp=yes") == [])
    let file = UnitFile(
      parsing: Array(
        "[Unit]\nJoinsNamespaceOf=y\n[Service]\nPrivateUsers=yes\nExecStart=+/x".utf8))
    let settings = UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
    #expect(settings.withoutSandbox.doubts == [])
  }

  // MARK: Devices

  @Test(
    arguments: [
      ("", nil), ("ProtectClock=yes", nil), ("PrivateDevices=yes", .privateDevices),
      ("PrivateDevices=yes\nDevicePolicy=strict", .strict), ("DevicePolicy=closed", .closed),
      ("DeviceAllow=char-rtc r\nProtectClock=yes", .list), ("DeviceAllow=/dev/null", .list),
      ("DeviceAllow=/dev/null\nDeviceAllow=", nil),
      ("PrivateDevices=yes\nDeviceAllow=/dev/null", .privateDevices),
    ] as [(String, ServiceFacts.PolicySetting?)])
  func `tell which of them closes the device policy`(
    lines: String, setting: ServiceFacts.PolicySetting?
  ) throws {
    #expect(try settings(lines).policySetting == setting)
    #expect(try settings(lines + "\nExecStart=+/bin/x").withoutSandbox.policySetting == setting)
  }

  private static let classes = DeviceClasses(
    parsing: Array(
      "Character devices:\n  1 mem\n 81 video4linux\n116 alsa\n\nBlock devices:\n  8 sd\n259 blkext\n"
        .utf8))

  private func list(_ lines: String) throws -> DeviceCgroup? {
    var policy = UnitDevicePolicy(classes: Self.classes) { path in
      ["/dev/null": (DeviceNumber(major: 1, minor: 3), false)][path]
    }
    return policy.list(for: try settings(lines))
  }

  @Test func `without a device policy restrict nothing`() throws {
    #expect(try list("") == nil)
    #expect(try list("DevicePolicy=auto") == nil)
    #expect(try list("DeviceAllow=/dev/null rw\nDeviceAllow=") == nil)
  }

  @Test(arguments: [
    ("DevicePolicy=strict", []),
    ("DevicePolicy=strict\nDeviceAllow=/dev/null r", ["c 1:3 r"]),
    ("DevicePolicy=strict\nDeviceAllow=/dev/null", ["c 1:3 rwm"]),
    ("DevicePolicy=strict\nDeviceAllow=/dev/absent rw", []),
    ("DevicePolicy=strict\nDeviceAllow=char-video4linux r", ["c 81:* r"]),
    ("DevicePolicy=strict\nDeviceAllow=char-*m*", ["c 1:* rwm"]),
    ("DevicePolicy=strict\nDeviceAllow=char-* rw", ["c *:* rw"]),
    ("DevicePolicy=strict\nDeviceAllow=block-b?k* w", ["b 259:* w"]),
    ("DevicePolicy=strict\nDeviceAllow=block-8 w", ["b 8:* w"]),
    ("DevicePolicy=strict\nDeviceAllow=nonsense", []),
    ("DevicePolicy=closed", ["c 1:3 rwm"]),
    ("DeviceAllow=char-alsa rw", ["c 1:3 rwm", "c 116:* rw"]),
  ])
  func `come to the list that systemd makes`(lines: String, expected: [String]) throws {
    let list = try #require(try list(lines))
    #expect(list.defaultBehavior == .deny)
    let texts = list.exceptions.map { entry in
      let numbers = [entry.major, entry.minor].map { $0.map(String.init) ?? "*" }
      let letters =
        (entry.read ? "r" : "") + (entry.write ? "w" : "")
        + (entry.makeNode ? "m" : "")
      return "\(entry.isBlock ? "b" : "c") \(numbers[0]):\(numbers[1]) \(letters)"
    }
    #expect(texts == expected)
  }

  @Test func `match names without backtracking for ever`() {
    let name = [UInt8](repeating: UInt8(ascii: "a"), count: 200)
    let pattern = Array(String(repeating: "a*", count: 100).utf8) + [UInt8(ascii: "b")]
    #expect(!DeviceClasses.matches(name, pattern))
    #expect(DeviceClasses.matches(name, Array("*a*".utf8)))
  }
}
