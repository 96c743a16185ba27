/// Unit settings that give a service access to a device or a file.
struct UnitRemedies: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// Returns a remedy that writes a drop-in for a service and restarts the service.
  func dropIn(
    _ unit: String, _ lines: [String], named name: String, title: String,
    changes: [FactsChange] = [], scope: String? = nil, until end: Remedy.End = .never,
    assumes: String? = nil
  ) -> Remedy {
    Remedy(
      title,
      steps: [
        .dropIns(
          [UnitDropIn(unit: unit, lines: lines, name: name)], restarting: unit, changes: changes)
      ], scope: scope, takesEffect: "when \(unit) is restarted", until: end, assumes: assumes)
  }

  // MARK: - Device policies

  /// The device policies that refuse the object, starting with the service's own policy.
  var refusingPolicies: [ServiceFacts.Policy] {
    guard let node = deviceNode, let number = node.rdev else { return [] }
    let isBlock = node.type == .blockDevice
    return (confinement.service?.policies ?? []).filter { policy in
      guard let list = policy.list else { return false }
      return !list.allows(number, isBlock: isBlock, for: assessment.wanted)
    }
  }

  /// The requested device node, or otherwise the node that refuses access.
  private var deviceNode: Node? {
    let object = assessment.object ?? assessment.access.object(at: path)
    let node = object ?? assessment.decidingStep?.node
    return node.flatMap { $0.type.isDevice ? $0 : nil }
  }

  /// Returns the part of the wanted access that a policy allows, if it does not allow all of it.
  func part(allowedBy policy: ServiceFacts.Policy) -> Permissions {
    guard let list = policy.list, let node = deviceNode, let number = node.rdev else { return [] }
    let parts: [Permissions] = [.read, .write]
    return parts.first { part in
      wanted.isSuperset(of: part) && wanted != part
        && list.allows(number, isBlock: node.type == .blockDevice, for: part)
    } ?? []
  }

  /// Lines with `DeviceAllow=` and the access that they grant.
  private struct Allowance {
    var lines: [String]
    /// A phrase for the additional access that the lines grant.
    var scope: String?
    /// A phrase for the devices that the lines allow.
    var what = "this device"
    /// The directory to bind instead of the node, if the unit has its own `/dev`.
    var directory: String?
    var end = Remedy.End.never
  }

  /// Returns alternative sets of lines that allow a node.
  ///
  /// For a pluggable device, the line for its class comes first, because it remains valid if the
  /// device gets another number. The lines for the current node follow.
  private func allowances(
    at path: String, node name: String? = nil, isHidden: Bool
  ) -> [Allowance] {
    let holder = confinement.serviceUnit == nil ? "the user" : "the service user"
    // Programs also open the control node of a sound card, so the line allows all ALSA nodes.
    if path.hasPrefix("/dev/snd/") {
      return [
        Allowance(
          lines: ["DeviceAllow=char-alsa rw"],
          scope: "access to every sound device that \(holder) has permission to use",
          what: "the sound devices", directory: "/dev/snd")
      ]
    }
    let name = name ?? path
    let others = DriverNodes(assessment: assessment).others(than: name)
      .filter { !isAllowedByPolicies($0) }.map(\.path).filter(\.isConfigurationWord)
    // A link leads to the node regardless of the node's number.
    let isPluggable = device?.isPluggable == true && path == name
    // A replugged USB device gets another number and path, so the unit gets the whole bus.
    if isHidden, path.hasPrefix("/dev/bus/usb/") {
      return [
        Allowance(
          lines: ["DeviceAllow=char-usb_device \(wanted.letters)"],
          scope: "access to every USB device that \(holder) has permission to use",
          what: "every USB device, whatever its number", directory: "/dev/bus/usb")
      ]
    }
    let lines =
      ([path] + others).map { "DeviceAllow=\($0) \(wanted.letters)" }
      + unseenCompanions(of: name).filter { !others.contains($0) }.map { "DeviceAllow=\($0) rw" }
    let node = Allowance(
      lines: lines, what: lines.count > 1 ? "the nodes of this driver" : "this device",
      end: isPluggable ? .renumbering : .never)
    // A bind mount adds only this node.
    guard isPluggable, !isHidden, let driver = deviceNode?.driverClass else { return [node] }
    return [
      Allowance(
        lines: ["DeviceAllow=char-\(driver) \(wanted.letters)"],
        scope: "access to every \(driver) device that \(holder) has permission to use",
        what: "every \(driver) device, whatever its number"),
      node,
    ]
  }

  /// Returns the remedies that allow the device in every unit whose policy refuses it.
  ///
  /// - Returns: The remedies; `nil` if only the service's own policy refuses the device, or if the
  ///   policies cannot be changed in this way.
  func policyRemedies(_ path: String) -> [Remedy]? {
    let refusing = refusingPolicies.map(\.unit)
    if confinement.serviceUnit == nil { return sliceRemedies(refusing, path) }
    guard let service = confinement.serviceUnit, !refusing.isEmpty, refusing != [service],
      refusing.allSatisfy(\.isUnitName), path.hasPrefix("/dev/"), path.isConfigurationWord
    else { return nil }
    return allowances(at: path, isHidden: false).map { allowance in
      let dropIns = refusing.map {
        UnitDropIn(unit: $0, lines: allowance.lines, name: "devaccess")
      }
      let others = "every service in the slice access to the device, if its own policy allows it"
      return Remedy(
        "Allow the device in \(refusing.joined(separator: " and "))",
        steps: [
          .dropIns(dropIns, restarting: service, changes: [.lift(.deviceProgram)])
        ], scope: Remedy.joined(allowance.scope, others, by: ", and gives "),
        takesEffect: "when \(service) is restarted", until: allowance.end)
    }
  }

  /// Returns the remedies that allow the device in the slices of a session, without a restart.
  private func sliceRemedies(_ slices: [String], _ path: String) -> [Remedy]? {
    guard !slices.isEmpty, slices.allSatisfy({ $0.isUnitName && $0.hasSuffix(".slice") }),
      path.hasPrefix("/dev/"), path.isConfigurationWord
    else { return nil }
    return allowances(at: path, isHidden: false).map { allowance in
      let settings = allowance.lines.map(\.shellQuoted).joined(separator: " ")
      let others =
        "every program in the slice access to the device, if its user has permission to use the node"
      return Remedy(
        "Allow the device in \(slices.joined(separator: " and "))",
        commands: slices.map { "systemctl set-property \($0.shellOperand) \(settings)" },
        actor: .administrator, changes: [.lift(.deviceProgram)],
        scope: Remedy.joined(allowance.scope, others, by: ", and gives "),
        until: allowance.end)
    }
  }

  /// Returns the remedies that allow the service to use the device.
  func deviceRemedies(_ path: String) -> [Remedy] {
    let object = assessment.access.object(at: assessment.access.request.path)
    let node = object?.path ?? device?.node ?? path
    let path = assessment.linkInQuestion.flatMap { $0.isConfigurationWord ? $0 : nil } ?? node
    // `DeviceAllow=` accepts only device nodes. systemd ignores a directory, or a file in it.
    guard let unit = confinement.serviceUnit, path.hasPrefix("/dev/"), path.isConfigurationWord,
      object?.type.isDevice ?? true
    else { return [] }
    let isHidden = object == nil
    return allowances(at: path, node: node, isHidden: isHidden).map { allowance in
      // A bind mount adds only the node to the unit's `/dev`. The dash makes systemd skip a node
      // that does not exist. Otherwise the unit would not start.
      let bound = isHidden ? [allowance.directory ?? path] + unseenCompanions(of: node) : []
      var lines = bound.map { "BindPaths=-\($0)" }
      // If the service sees the node, only a policy refuses it, and the line is sufficient.
      if !isHidden || mayRefuseHidden(unit) { lines += allowance.lines }
      let own = UnitDropIn(unit: unit, lines: lines, name: "devaccess-device")
      let slices = refusingSlices.map {
        UnitDropIn(unit: $0, lines: allowance.lines, name: "devaccess-device")
      }
      let units = slices.map(\.unit).joined(separator: " and ")
      let others = """
        the other services in \(units) access to the device, \
        if their own policies allow it
        """
      return Remedy(
        "Allow \(unit) to use \(allowance.what)",
        steps: [
          .dropIns(
            [own] + slices, restarting: unit,
            changes: isHidden ? [] : [.lift(.deviceProgram)])
        ],
        scope: Remedy.joined(allowance.scope, slices.isEmpty ? nil : others, by: ", and gives "),
        takesEffect: "when \(unit) is restarted", until: allowance.end,
        assumes: isHidden ? "the user that \(unit) runs as has permission to use the node" : nil)
    }
  }

  /// Returns whether the service's own device policy may refuse a device that the service cannot
  /// see.
  ///
  /// `TemporaryFileSystem=` mounts a filesystem without nodes, but does not restrict the device
  /// policy. A `DeviceAllow=` line would restrict it.
  private func mayRefuseHidden(_ unit: String) -> Bool {
    let mount = assessment.access.mounts.last { $0.at == "/dev" }
    let isEmptied = mount?.nodev ?? (confinement.service?.rootDirectory != nil)
    return !isEmptied || (confinement.service?.policies ?? []).contains { $0.unit == unit }
  }

  /// The slices that contain the service and refuse a device that the service cannot see.
  private var refusingSlices: [String] {
    guard assessment.access.object(at: assessment.access.request.path) == nil,
      let device, let number = device.number
    else { return [] }
    return (confinement.service?.policies ?? []).filter { policy in
      guard policy.unit.hasSuffix(".slice"), policy.unit.isUnitName, let list = policy.list else {
        return false
      }
      return !list.allows(number, isBlock: device.subsystem == "block", for: assessment.wanted)
    }
    .map(\.unit)
  }

  /// Returns whether all device policies are known and allow the node.
  private func isAllowedByPolicies(_ node: Node) -> Bool {
    guard let number = node.rdev, let policies = confinement.service?.policies, !policies.isEmpty
    else { return false }
    return policies.allSatisfy { policy in
      policy.list?.allows(number, isBlock: node.type == .blockDevice, for: assessment.wanted)
        == true
    }
  }

  /// Returns the nodes that programs open together with a node, but that are not in the facts.
  private func unseenCompanions(of path: String) -> [String] {
    NodeCompanions.required(with: path).filter { assessment.access.object(at: $0) == nil }
  }

  func deviceLookups() -> [Lookup] {
    guard let unit = confinement.unit, unit.isUnitName else { return [] }
    return [
      Lookup(
        "See which devices the unit may use",
        commands: [
          "systemctl show -p PrivateDevices,DevicePolicy,DeviceAllow \(unit.shellOperand)"
        ])
    ]
  }

  // MARK: - Files

  /// Returns the remedies for a unit setting that makes a path read-only.
  func writeRemedies() -> [Remedy] {
    let path =
      assessment.access.object(at: assessment.access.request.path)?.path
      ?? assessment.access.creationDirectory
    // If the settings are known, the planner proves the remedy, provided that the decision is known.
    var isProven = confinement.service?.knownProtections != nil
    if case .undecided = assessment.decision.outcome { isProven = false }
    guard let unit = confinement.serviceUnit, !isProven, let path, path.isConfigurationPath
    else { return [] }
    return [
      dropIn(
        unit, ["\(confinement.writableSetting)=\(path)"], named: "devaccess-write",
        title: "Let \(unit) write to \(path)",
        assumes: "nothing other than a setting of the unit makes it read-only")
    ]
  }
}

extension Node {
  /// The name of all devices of the node's driver in `DeviceAllow=`, such as `block-loop`, and the
  /// module that registers it.
  ///
  /// The value is `nil` if neither the major number nor the path identifies the driver. The module
  /// is `nil` if the kernel usually has the driver built in.
  var policyClass: (name: String, module: String?)? {
    guard type == .blockDevice else {
      return driverClass.map { ("char-" + $0, Self.modules[$0]) }
    }
    let name = path.hasPrefix("/dev/") ? path.dropFirst(5) : ""
    let driver: String? =
      switch rdev?.major {
      case 7: "loop"
      case 9: "md"
      case 11: "sr"
      case 43: "nbd"
      default: name.hasPrefix("dm-") || name.hasPrefix("mapper/") ? "device-mapper" : nil
      }
    return driver.map { ("block-" + $0, Self.modules[$0]) }
  }

  private static let modules = [
    "alsa": "snd", "device-mapper": "dm_mod", "drm": "drm", "loop": "loop", "md": "md_mod",
    "nbd": "nbd", "sr": "sr_mod", "ttyACM": "cdc_acm", "ttyUSB": "usbserial",
    "video4linux": "videodev",
  ]

  /// The driver's name in `/proc/devices`, which `DeviceAllow=` accepts for all of its devices.
  ///
  /// The value is `nil` if neither the major number nor the path identifies the driver.
  var driverClass: String? {
    guard type == .characterDevice else { return nil }
    return switch rdev?.major {
    case 13: "input"
    case 81: "video4linux"
    case 116: "alsa"
    case 166: "ttyACM"
    case 188: "ttyUSB"
    case 189: "usb_device"
    case 226: "drm"
    default: path.hasPrefix("/dev/hidraw") ? "hidraw" : nil
    }
  }
}

/// Settings that a drop-in file adds to a unit (systemd.unit(5)).
struct UnitDropIn: Hashable, Sendable {
  /// The unit that the settings apply to.
  var unit: String
  /// The settings, one line per element.
  var lines: [String]
  /// The name of the file, without its suffix.
  var name: String

  init(unit: String, lines: [String], name: String) {
    self.unit = unit
    self.lines = lines
    self.name = name
  }

  /// The commands that append the settings to the file, which may already contain others.
  var commands: [String] {
    let directory = "/etc/systemd/system/\(unit).d"
    let section = unit.hasSuffix(".slice") ? "[Slice]" : "[Service]"
    let text = ([section] + lines).map(\.shellQuoted).joined(separator: " ")
    return [
      "mkdir -p \(directory.shellQuoted)",
      "printf '%s\\n' \(text) >> \("\(directory)/\(name).conf".shellQuoted)",
    ]
  }
}

extension Remedy.Step {
  /// Creates a step that writes drop-ins and restarts the service that they affect.
  static func dropIns(
    _ dropIns: [UnitDropIn], restarting service: String, changes: [FactsChange]
  ) -> Remedy.Step {
    var step = Remedy.Step(.administrator, changes: changes)
    step.dropIns = dropIns
    step.service = service
    step.commands =
      dropIns.flatMap(\.commands)
      + ["systemctl daemon-reload", "systemctl restart \(service.shellOperand)"]
    return step
  }

  /// Combines two steps that change the settings of the same service.
  ///
  /// The combined step writes one file per unit and restarts the service once.
  ///
  /// - Returns: The step; `nil` if the steps cannot be combined.
  func merged(with other: Remedy.Step) -> Remedy.Step? {
    guard let service, service == other.service, !dropIns.isEmpty || !other.dropIns.isEmpty else {
      return nil
    }
    var all = dropIns
    for dropIn in other.dropIns {
      guard let index = all.firstIndex(where: { $0.unit == dropIn.unit }) else {
        all.append(dropIn)
        continue
      }
      all[index].lines += dropIn.lines.filter { !all[index].lines.contains($0) }
      all[index].name = "devaccess"
    }
    return .dropIns(all, restarting: service, changes: changes + other.changes)
  }
}

extension String {
  /// A Boolean value that indicates whether systemd interprets the text literally and as one word.
  ///
  /// A colon separates the parts of some words, such as those of `BindPaths=`.
  var isConfigurationWord: Bool { isConfigurationPath && !utf8.contains(UInt8(ascii: ":")) }

  /// A Boolean value that indicates whether systemd interprets the text literally in a list of
  /// paths, such as `ReadWritePaths=`.
  var isConfigurationPath: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
          && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
      }
  }
}
