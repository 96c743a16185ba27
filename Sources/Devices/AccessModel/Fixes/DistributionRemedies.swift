/// Fixes for NixOS, which generates a read-only `/etc` from the system configuration.
extension AccessFacts {
  /// A Boolean value that indicates whether the machine runs NixOS.
  var isNixOS: Bool {
    guard confinement.container == nil else { return false }
    if let distribution = confinement.distribution { return distribution == "nixos" }
    return access.nodes.contains {
      $0.path == "/run/current-system" || $0.target?.hasPrefix("/nix/store/") == true
    } || access.mounts.contains { $0.at == "/nix/store" }
  }
}

extension AccessFacts {
  /// A Boolean value that indicates whether the machine runs OpenWrt, on which procd creates the
  /// nodes and no udev sets their permissions.
  var isOpenWrt: Bool { confinement.container == nil && confinement.distribution == "openwrt" }
}

extension UdevRuleRemedies {
  /// Returns the remedy that gives a node to the user's group at every boot of OpenWrt.
  ///
  /// Its programs have no ACL entries: busybox has no setfacl(1).
  func startScript(_ path: String) -> Remedy? {
    guard facts.isOpenWrt, let node = access.object(at: path), node.type.isDevice, node.gid == 0,
      subject.userNamespace == nil, subject.fsgid != 0, names.hasPlainName(group: subject.fsgid),
      subject.fsgid != Subject.overflowID,
      !["users", "nogroup", "nobody", "daemon"].contains(names.groupName(subject.fsgid)),
      // A USB device gets another number each time.
      !path.hasPrefix("/dev/bus/usb/"),
      // The line of the script has no quotes.
      path.parts(at: "/").allSatisfy({ String($0).isRuleWord })
    else { return nil }
    let group = names.groupWord(subject.fsgid)
    let mode: UInt16 = 0o660 | node.mode & 0o007
    let commands = [
      "chgrp \(group) \(path)", "chmod \(String(mode, radix: 8)) \(path)",
    ]
    return Remedy(
      "Give the node to group \(group) now and at every boot (in /etc/rc.local)",
      commands: commands + ["sed -i '1i \(commands.joined(separator: "; "))' /etc/rc.local"],
      actor: .administrator,
      changes: [
        .setMode(path: node.path, mode: mode),
        .changeOwner(path: node.path, user: nil, group: subject.fsgid),
      ],
      takesEffect: "when the program is restarted",
      until: device?.isPluggable == true ? .replug : .never)
  }
}

extension Remedy {
  /// Returns the fix with system configuration settings instead of commands that would write to
  /// `/etc`.
  func byConfiguration() -> Remedy {
    var remedy = self
    var isLost = false
    remedy.steps = steps.flatMap { step -> [Step] in
      var step = step
      var settings = step.dropIns.flatMap(\.nixSettings)
      var isChanged = !settings.isEmpty
      var commands: [String] = []
      for command in step.commands where !command.isDropInCommand(of: step) {
        if let setting = NixSetting(command) {
          settings.append(setting.text)
          isChanged = true
        } else if !command.writesConfiguration {
          commands.append(command)
        } else if !command.hasPrefix("touch "), !command.hasPrefix("chmod ") {
          isChanged = true
          isLost = true
        }
      }
      step.commands = commands
      guard isChanged else { return [step] }
      // The rebuild makes udev reload its rules.
      commands.removeAll { $0 == "udevadm control --reload" }
      step.commands = ["nixos-rebuild switch"] + commands
      return (settings.isEmpty ? [] : [Step(step.actor, options: settings.withJoinedRules)]) + [
        step
      ]
    }
    // The setting refers to the program in the Nix store, so the program does not need to be
    // installed.
    if remedy.options.contains(where: { $0.contains("${pkgs.acl}") }),
      remedy.assumes == UdevRuleRemedies.setfaclAssumption
    {
      remedy.assumes = nil
    }
    if isLost {
      let isRule = commands.contains { $0.contains("/udev/rules.d") }
      let place =
        "the configuration of NixOS makes that change"
        + (isRule
          ? " (services.udev.extraRules is written to 99-local.rules, services.udev.packages keeps names)"
          : "")
      remedy.assumes = Remedy.both(remedy.assumes, place)
    }
    return remedy
  }
}

/// One setting in the NixOS configuration.
private struct NixSetting {
  let text: String

  /// Creates the setting that replaces a command of a fix; `nil` if no setting does.
  init?(_ command: String) {
    let words = command.split(separator: " ").map(String.init)
    if let (rule, _) = Self.rule(in: command, addedIn: "/etc/polkit-1/rules.d/") {
      text = "security.polkit.extraConfig = ''\(rule)'';"
    } else if let (rule, file) = Self.rule(in: command, addedIn: "/etc/udev/rules.d/") {
      let rule = rule.replacing("/usr/bin/setfacl", with: "${pkgs.acl}/bin/setfacl")
      text =
        file.hasPrefix("99-")
        ? "services.udev.extraRules = ''\(rule)'';"
        : """
        services.udev.packages = [ (pkgs.writeTextFile { name = "\(file)"; \
        destination = "/etc/udev/rules.d/\(file)"; text = ''\(rule)''; }) ];
        """
    } else if words.count == 3, words[0...1] == ["groupadd", "--system"], words[2].isRuleWord {
      text = "users.groups.\(words[2]) = { };"
    } else if words.count == 4, words[0...1] == ["usermod", "-aG"], words[2].isRuleWord,
      words[3].isRuleWord
    {
      text = "users.users.\(words[3]).extraGroups = [ \"\(words[2])\" ];"
    } else if words.count == 4, words[0] == "echo", words[2] == ">",
      words[3].hasPrefix("/etc/modules-load.d/"), words[1].isRuleWord
    {
      text = "boot.kernelModules = [ \"\(words[1])\" ];"
    } else {
      return nil
    }
  }

  /// Returns the rule that a command adds to a file, and the name of the file.
  private static func rule(
    in command: String, addedIn folder: String
  ) -> (rule: String, file: String)? {
    let start = "printf '%s\\n' '"
    let end = "' >> \(folder)"
    guard command.hasPrefix(start), let range = command.ranges(of: end).last else { return nil }
    let rule = command[command.index(command.startIndex, offsetBy: start.count)..<range.lowerBound]
    let file = command[range.upperBound...]
    // A quote or an interpolation would end or change the text of the setting.
    guard !rule.contains("'"), !rule.contains("${"), !rule.contains("\n"), String(file).isRuleWord
    else { return nil }
    return (String(rule), String(file))
  }
}

extension UnitDropIn {
  /// The NixOS settings that are equivalent to the lines, one for each setting name.
  fileprivate var nixSettings: [String] {
    let parts = unit.split(separator: ".").map(String.init)
    guard let type = parts.last, unit.isConfigurationWord, !unit.contains("$") else { return [] }
    let name = unit.dropLast(type.count + 1)
    var settings: [(name: Substring, values: [Substring])] = []
    for line in lines where !line.contains("\"") && !line.contains("${") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let setting = line[..<equals]
      let value = line[line.index(after: equals)...]
      if let index = settings.firstIndex(where: { $0.name == setting }) {
        settings[index].values.append(value)
      } else {
        settings.append((setting, [value]))
      }
    }
    return settings.map { setting in
      let values = setting.values.map { "\"\($0)\"" }
      // A list is merged with the value from the NixOS module. There, an empty value often resets
      // the devices before it.
      let list = "[ \(values.joined(separator: " ")) ]"
      let value =
        Self.singleSettings.contains(String(setting.name))
        ? "lib.mkForce \(values.last ?? "\"\"")"
        : setting.name == "DeviceAllow" ? "lib.mkAfter \(list)" : list
      return "systemd.\(type)s.\"\(name)\".\(type)Config.\(setting.name) = \(value);"
    }
  }

  /// The settings of which only the last value is used.
  private static let singleSettings: Set<String> = [
    "DevicePolicy", "DynamicUser", "Group", "MountFlags", "PrivateDevices", "PrivateTmp",
    "PrivateUsers", "ProtectClock", "ProtectHome", "ProtectSystem", "RootDirectory", "User",
  ]
}

extension [String] {
  /// The settings with all `services.udev.extraRules` values joined into one.
  ///
  /// Nix refuses a second definition of the same option in one file.
  fileprivate var withJoinedRules: [String] {
    let start = "services.udev.extraRules = ''"
    let end = "'';"
    let rules = filter { $0.hasPrefix(start) && $0.hasSuffix(end) }
    guard rules.count > 1, let first = firstIndex(where: rules.contains) else { return self }
    let lines = rules.map { $0.dropFirst(start.count).dropLast(end.count) }
    var joined = filter { !rules.contains($0) }
    joined.insert(start + "\n" + lines.joined(separator: "\n") + "\n" + end, at: first)
    return joined
  }
}

extension String {
  /// Returns whether the command writes or applies the drop-ins of a step.
  fileprivate func isDropInCommand(of step: Remedy.Step) -> Bool {
    guard !step.dropIns.isEmpty else { return false }
    return self == "systemctl daemon-reload" || hasPrefix("systemctl restart ")
      || step.dropIns.contains { $0.commands.contains(self) }
  }

  /// A Boolean value that indicates whether the command changes a file that NixOS generates.
  fileprivate var writesConfiguration: Bool {
    let places = [
      "/etc/udev/", "/lib/udev/rules.d", "/etc/modprobe.d", "/etc/modules-load.d", "/etc/systemd/",
      "/etc/tmpfiles.d", "/etc/polkit-1/",
    ]
    return places.contains(where: contains)
      || ["groupmod ", "usermod ", "groupadd "].contains(where: hasPrefix)
  }
}

extension AccessFacts {
  /// Returns the commands that add a user to a group of the machine.
  ///
  /// - Parameters:
  ///   - user: The user's name, or the number if there is no name, quoted for a shell.
  ///   - uid: The user's number.
  ///   - group: The group's name or number, quoted for a shell.
  /// - Returns: The commands.
  func joinCommands(_ user: String, _ uid: UInt32, to group: String) -> [String] {
    // An image-based system defines groups in `/usr/lib/group`, but the tools only edit
    // `/etc/group`.
    let copy =
      hasGroupsOfImage && group.isRuleWord
      ? ["grep -q '^\(group):' /etc/group || getent group \(group) >> /etc/group"] : []
    // usermod(8) supports only users in `/etc/passwd`, and not those of a directory service.
    let isLocal = uid <= UInt32(UInt16.max) || access.subject.userNamespace != nil
    return copy + [isLocal ? "usermod -aG \(group) \(user)" : "gpasswd -a \(user) \(group)"]
  }

  /// A Boolean value that indicates whether the system is based on an ostree image.
  private var hasGroupsOfImage: Bool {
    guard confinement.container == nil else { return false }
    let root = access.mounts.last { $0.at == "/" }
    return root?.source == "composefs" || account.home?.hasPrefix("/var/home/") == true
      || access.mounts.contains { $0.at == "/sysroot" }
  }
}
