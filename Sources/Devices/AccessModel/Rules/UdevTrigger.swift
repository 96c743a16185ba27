internal import UdevRules

/// The commands that make udev handle one device again.
///
/// `udevadm trigger` has accepted `--name-match` since systemd 218, and `--settle` since 238. eudev
/// does not accept `--settle`, although it reports a version of systemd as its own.
struct UdevTrigger {
  /// The version of systemd; `nil` if it is unknown, or if another implementation of udev may run.
  private let version: Int?

  /// The highest version of systemd that eudev reports.
  private static let lastOfEudev = 251

  init(_ rules: RuleFacts) {
    self.init(rules, hasSystemd: nil)
  }

  init(_ facts: AccessFacts) {
    self.init(facts.rules, hasSystemd: facts.confinement.hasSystemd)
  }

  private init(_ rules: RuleFacts?, hasSystemd: Bool?) {
    guard let rules, rules.isVersionKnown else {
      version = nil
      return
    }
    let isOfSystemd =
      rules.version.number > Self.lastOfEudev || rules.daemon.hasSystemd ?? hasSystemd ?? false
    version = isOfSystemd ? rules.version.number : nil
  }

  /// Returns the commands for a device, or for all devices if both it and its node are unknown.
  ///
  /// - Parameters:
  ///   - node: The node; `nil` if the device has none.
  ///   - device: The subsystem and the kernel name of the device; `nil` if unknown.
  ///   - action: The action of the event.
  /// - Returns: The commands, which wait until udev has handled the event.
  func commands(
    node: String?, device: (subsystem: String, name: String?)?, action: String = "change"
  ) -> [String] {
    let option = action == "change" ? "" : " --action=\(action.shellQuoted)"
    let match = node.map { "--name-match=\($0.shellQuoted)" }
    if let version, version >= 238, let match {
      return ["udevadm trigger --settle\(option) \(match)"]
    }
    var words = ["udevadm trigger\(option)"]
    if let device, !device.subsystem.isEmpty || match == nil {
      if !device.subsystem.isEmpty {
        words.append("--subsystem-match=\(device.subsystem.shellQuoted)")
      }
      if let name = device.name { words.append("--sysname-match=\(name.shellQuoted)") }
    } else if let match {
      words.append(match)
    }
    return [words.joined(separator: " "), "udevadm settle"]
  }

  /// Returns the commands for a device, as the access facts describe it.
  func commands(
    node: String, device: DeviceFacts?, action: String = "change"
  ) -> [String] {
    commands(
      node: node, device: device.map { ($0.subsystem, $0.kernelName) }, action: action)
  }

  /// Returns the command that waits until udev has handled a node.
  ///
  /// Before version 251, udevadm can only wait for all events.
  func waiting(for node: String, seconds: Int) -> String {
    (version ?? 0) >= 251
      ? "udevadm wait --settle --timeout=\(seconds) \(node)" : "udevadm settle --timeout=\(seconds)"
  }
}

/// The commands that start and restart udev's daemon, with or without systemd.
///
/// Some WSL distributions run without systemd as the first process.
struct UdevDaemonStart {
  /// A Boolean value that indicates whether systemd runs (sd_booted(3)); `nil` if unknown.
  let hasSystemd: Bool?

  private static let daemon = "/lib/systemd/systemd-udevd --daemon"

  /// The commands that start the daemon.
  var start: [String] {
    hasSystemd == false ? [Self.daemon] : ["systemctl start systemd-udevd.service"]
  }

  /// The commands that restart the daemon.
  var restart: [String] {
    hasSystemd == false
      ? ["udevadm control --exit", Self.daemon] : ["systemctl restart systemd-udevd.service"]
  }
}

extension String {
  /// A Boolean value that indicates whether the string is a safe module name.
  ///
  /// A snapshot can contain any text as a module name, such as an option of modprobe(8) or a path.
  var isModuleName: Bool {
    !isEmpty && utf8.first != UInt8(ascii: "-")
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The commands that load the module with this name now and at every boot; none if the name is not
  /// safe.
  var loadingCommands: [String] {
    guard isModuleName else { return [] }
    let file = "/etc/modules-load.d/devaccess-\(self).conf"
    return ["modprobe \(shellQuoted)", "echo \(shellQuoted) > \(file.shellQuoted)"]
  }
}
