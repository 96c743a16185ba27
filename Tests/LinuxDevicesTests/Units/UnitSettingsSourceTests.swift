import AccessModel
import MessageBus
import Testing

@testable import LinuxDevices

/// Settings as written in a unit file, and as reported by the manager.
@Suite struct `The two sources of the settings of a unit` {
  /// One setting: its lines, and its effect on the properties.
  private struct Choice {
    var lines: [String]
    var properties: [String: BusValue]
  }

  /// The properties that the manager reports for a service without any setting.
  private static let plain: [String: BusValue] = [
    "User": .text(""), "Group": .text(""), "SupplementaryGroups": .list([]),
    "DynamicUser": .boolean(false), "UID": .unsigned(UInt64(UInt32.max)),
    "ExecStartEx": .list([]), "PrivateDevices": .boolean(false), "PrivateUsers": .boolean(false),
    "NoNewPrivileges": .boolean(false), "DevicePolicy": .text("auto"), "DeviceAllow": .list([]),
    "ProtectHome": .text("no"), "ProtectSystem": .text("no"), "ReadWritePaths": .list([]),
    "ReadOnlyPaths": .list([]), "InaccessiblePaths": .list([]),
    "CapabilityBoundingSet": .unsigned(.max), "AmbientCapabilities": .unsigned(0),
    "SecureBits": .signed(0), "RootImage": .text(""), "RootDirectory": .text(""),
    "BindPaths": .list([]), "BindReadOnlyPaths": .list([]), "TemporaryFileSystem": .list([]),
    "PrivateTmp": .boolean(false), "AppArmorProfile": .list([.boolean(false), .text("")]),
    "SELinuxContext": .list([.boolean(false), .text("")]), "MainPID": .unsigned(0),
    "ControlGroup": .text(""),
  ]

  private static func text(_ key: String, _ value: String) -> Choice {
    Choice(lines: ["\(key)=\(value)"], properties: [key: .text(value)])
  }

  private static func flag(_ key: String, _ words: [String]) -> [Choice] {
    words.map {
      Choice(lines: ["\(key)=\($0)"], properties: [key: .boolean(["yes", "1", "on"].contains($0))])
    }
  }

  private static func list(_ key: String, _ values: [String]) -> Choice {
    Choice(
      lines: values.map { "\(key)=\($0)" }, properties: [key: .list(values.map { .text($0) })])
  }

  private static func command(_ prefix: String, _ flags: [String]) -> Choice {
    let value = BusValue.list([
      .text("/bin/x"), .list([.text("/bin/x")]), .list(flags.map { .text($0) }),
    ])
    return Choice(
      lines: ["ExecStart=\(prefix)/bin/x"], properties: ["ExecStartEx": .list([value])])
  }

  private static func allow(_ entries: [(String, String)]) -> Choice {
    Choice(
      lines: entries.map { "DeviceAllow=\($0.0) \($0.1)" },
      properties: [
        "DeviceAllow": .list(entries.map { .list([.text($0.0), .text($0.1)]) })
      ])
  }

  private static func named(_ key: String, _ mark: String, _ name: String) -> Choice {
    Choice(
      lines: ["\(key)=\(mark)\(name)"],
      properties: [key: .list([.boolean(!mark.isEmpty), .text(name)])])
  }

  private static func bound(_ key: String, _ line: String, _ members: [String]) -> Choice {
    let tuple = members.map { BusValue.text($0) } + [.boolean(false), .unsigned(0)]
    return Choice(lines: ["\(key)=\(line)"], properties: [key: .list([.list(tuple)])])
  }

  private static func filter(
    _ key: String, _ line: String, _ isAllowList: Bool, _ names: [String]
  ) -> Choice {
    Choice(
      lines: ["\(key)=\(line)"],
      properties: [key: .list([.boolean(isAllowList), .list(names.map { .text($0) })])])
  }

  /// Returns `StateDirectory=` with a link and its read-only flag.
  private static func linked(_ name: String, _ link: String, _ flags: UInt64) -> Choice {
    Choice(
      lines: ["StateDirectory=\(name):\(link)\(flags == 0 ? "" : ":ro")"],
      properties: [
        "StateDirectory": .list(flags == 0 ? [.text(name)] : []),
        "StateDirectorySymlink": .list([.list([.text(name), .text(link), .unsigned(flags)])]),
      ])
  }

  private static func namespace(_ word: String, _ reported: String) -> Choice {
    Choice(
      lines: ["PrivateUsers=\(word)"],
      properties: ["PrivateUsers": .boolean(reported != "no"), "PrivateUsersEx": .text(reported)])
  }

  /// The choices of each setting; a unit has at most one of them.
  private static let table: [[Choice]] = [
    [text("User", "ann"), text("User", "1000")], [text("Group", "video")],
    [list("SupplementaryGroups", ["video", "44"])],
    [
      command("", []), command("-", ["ignore-failure"]), command("+", ["privileged"]),
      command("!", ["no-setuid"]), command("!!", ["ambient"]),
      command(":+", ["privileged", "no-env-expand"]),
    ],
    flag("NoNewPrivileges", ["yes", "no", "on"]),
    [text("DevicePolicy", "closed"), text("DevicePolicy", "strict")],
    [allow([("/dev/video0", "rw"), ("char-alsa", "r")]), allow([("block-*", "rwm")])],
    [text("ProtectHome", "read-only"), text("ProtectHome", "tmpfs"), text("ProtectHome", "yes")],
    [text("ProtectSystem", "full"), text("ProtectSystem", "strict")],
    [list("ReadWritePaths", ["/srv"])], [list("ReadOnlyPaths", ["/srv", "-/opt"])],
    [list("InaccessiblePaths", ["-/dev/video0"])],
    [
      Choice(
        lines: ["CapabilityBoundingSet=CAP_CHOWN"],
        properties: ["CapabilityBoundingSet": .unsigned(1)])
    ],
    [
      Choice(
        lines: ["AmbientCapabilities=CAP_DAC_OVERRIDE"],
        properties: ["AmbientCapabilities": .unsigned(2)])
    ],
    [Choice(lines: ["SecureBits=noroot keep-caps"], properties: ["SecureBits": .signed(17)])],
    [text("RootDirectory", "/srv/root"), text("RootImage", "/x.img")],
    flag("MountAPIVFS", ["yes", "no"]),
    [bound("BindPaths", "/a:/b", ["/a", "/b"])],
    [bound("TemporaryFileSystem", "/var:ro", ["/var", "ro"])],
    flag("PrivateTmp", ["yes", "no"]),
    [named("AppArmorProfile", "", "cam"), named("AppArmorProfile", "-", "cam")],
    [named("SELinuxContext", "-", "a:b:c:d")],
    [
      Choice(
        lines: ["MountImages=-/i.img:/m:root:ro"],
        properties: [
          "MountImages": .list([
            .list([.text("/i.img"), .text("/m"), .boolean(true), .list([])])
          ])
        ])
    ],
    flag("ProtectKernelTunables", ["yes", "no"]), flag("ProtectHostname", ["on"]),
    [
      Choice(
        lines: ["ProtectControlGroups=private"],
        properties: [
          "ProtectControlGroups": .boolean(true), "ProtectControlGroupsEx": .text("private"),
        ])
    ] + flag("ProtectControlGroups", ["yes"]),
    flag("PrivateIPC", ["yes", "no"]),
    [text("ProtectProc", "invisible"), text("ProtectProc", "default")], [text("ProcSubset", "pid")],
    [text("LogNamespace", "x")], [list("ExtensionDirectories", ["/e"])],
    [filter("SystemCallFilter", "@system-service", true, ["openat", "read"])]
      + [filter("SystemCallFilter", "~openat", false, ["openat"])],
    [filter("RestrictFileSystems", "ext4", true, ["ext4"])], [list("NoExecPaths", ["/srv"])],
    [
      Choice(
        lines: ["BPFProgram=device:/sys/fs/bpf/x"],
        properties: ["BPFProgram": .list([.list([.text("device"), .text("/sys/fs/bpf/x")])])])
    ],
    [list("RuntimeDirectory", ["a", "b/c"])],
    [list("StateDirectory", ["a"]), linked("a", "", 1), linked("a", "l", 0), linked("a", "l", 1)],
    [
      Choice(
        lines: ["CacheDirectory=c", "CacheDirectoryMode=0700"],
        properties: [
          "CacheDirectory": .list([.text("c")]), "CacheDirectoryMode": .unsigned(0o700),
        ])
    ],
    [text("PAMName", "login")], [text("TTYPath", "/dev/tty5")],
    [text("StandardInput", "tty"), text("StandardInput", "null")],
    [list("ExecSearchPath", ["/opt/bin"])], flag("LockPersonality", ["yes", "no"]),
    flag("PrivateMounts", ["yes", "no"]),
    [filter("RestrictAddressFamilies", "AF_UNIX", true, ["AF_UNIX"])],
    [
      Choice(
        lines: ["RestrictNamespaces=yes"], properties: ["RestrictNamespaces": .unsigned(0)]),
      Choice(
        lines: ["RestrictNamespaces=no"], properties: ["RestrictNamespaces": .unsigned(.max)]),
    ],
    [
      Choice(
        lines: ["MountFlags=shared"], properties: ["MountFlags": .unsigned(1 << 20)]),
      Choice(lines: ["MountFlags=slave"], properties: ["MountFlags": .unsigned(1 << 19)]),
    ],
    [
      Choice(
        lines: ["SetCredential=a:b"],
        properties: ["SetCredential": .list([.list([.text("a"), .list([])])])])
    ],
    [namespace("yes", "self"), namespace("identity", "identity"), namespace("full", "full")],
  ]

  @Test(arguments: 0..<500)
  func `lead to the same settings`(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var lines: [String] = []
    var values = Self.plain
    for choices in Self.table where random(3) == 0 {
      let choice = choices[random(choices.count)]
      lines += choice.lines
      values.merge(choice.properties) { $1 }
    }
    let text = "[Service]\n" + lines.joined(separator: "\n")
    let files = UnitSettingsReader.settings(
      of: try #require(UnitName("x")), files: [UnitFile(parsing: Array(text.utf8))])
    var properties = UnitProperties(values)
    var bus = UnitSettings(service: &properties)
    #expect(properties.missing.isEmpty)
    // Only the capabilities that this version of the library does not know differ.
    if bus.boundingSet == CapabilitySet(bits: .max) { bus.boundingSet = .all }
    // The two sources have different orders.
    func sorted(_ settings: UnitSettings) -> UnitSettings {
      var settings = settings
      settings.doubts.sort { $0.reason < $1.reason }
      settings.replacedPaths.sort { ($0.setting, $0.path) < ($1.setting, $1.path) }
      return settings
    }
    #expect(sorted(files) == sorted(bus), "\(text)")
  }

  /// The properties from managers whose version adds lines to `DeviceAllow=` for other settings.
  @Test(
    arguments: [
      (["ProtectClock": .boolean(true)], [("char-rtc", "r")], .protectClock),
      (["ProtectClock": .boolean(true)], [("char-rtc", "r"), ("char-rtc", "r")], .list),
      (["ProtectClock": .boolean(true)], [("char-rtc", "rw")], .list),
      (["ProtectClock": .boolean(false)], [("char-rtc", "r")], .list),
      (["ProtectClock": .boolean(true)], [], nil),
      (
        ["ProtectClock": .boolean(true), "PrivateDevices": .boolean(true)], [("char-rtc", "r")],
        .privateDevices
      ),
      (
        ["RootImage": .text("/x.img")],
        [
          ("block-loop", "rwm"), ("block-blkext", "rwm"), ("block-device-mapper", "rwm"),
          ("/dev/loop-control", "rw"), ("/dev/mapper/control", "rw"),
        ], .images
      ),
      (
        [
          "MountImages": .list([.list([.text("/i"), .text("/m"), .boolean(false), .list([])])])
        ], [("/dev/loop-control", "rw")], .list
      ),
      (
        ["LoadCredentialEncrypted": .list([.list([.text("a"), .text("/b")])])],
        [("/dev/tpmrm0", "rw")], .credentials
      ),
    ] as [([String: BusValue], [(String, String)], ServiceFacts.PolicySetting?)])
  func `name the setting that added the only lines`(
    reported: [String: BusValue], lines: [(String, String)], setting: ServiceFacts.PolicySetting?
  ) {
    var values = Self.plain.merging(reported) { $1 }
    values["DeviceAllow"] = .list(lines.map { .list([.text($0.0), .text($0.1)]) })
    if reported["PrivateDevices"] == .boolean(true) { values["DevicePolicy"] = .text("closed") }
    var service = UnitProperties(values)
    #expect(UnitSettings(service: &service).policySetting == setting)
    #expect(service.missing.isEmpty)
    var running = UnitProperties(values)
    #expect(UnitSettings(running: &running).policySetting == setting)
    // A slice has none of the other settings.
    var slice = UnitProperties(values.filter { $0.key.hasPrefix("Device") })
    let closes = UnitSettings(running: &slice).policySetting
    #expect(closes == (setting == .privateDevices ? .closed : setting == nil ? nil : .list))
    #expect(slice.missing.isEmpty)
  }

  @Test func `tell what the manager leaves out`() {
    var properties = UnitProperties(["User": .boolean(true)])
    let settings = UnitSettings(service: &properties)
    #expect(properties.missing.contains("User"))
    #expect(properties.missing.contains("DevicePolicy"))
    #expect(settings.problems.contains { $0.contains("ExecStart=") })
  }
}
