internal import UdevRules

/// Fixes for missing nodes that a graphics driver shares among all its cards.
extension NodesLayer {
  /// Returns the fixes for a missing node of a graphics driver; `nil` for any other node.
  func missingComputeRemedies(_ path: String) -> [Remedy]? {
    guard NodeCompanions.isNVIDIA(path) || path == "/dev/kfd" else { return nil }
    if confinement.container != nil {
      let start = ContainerOptions(assessment: assessment, names: names)
      return start.passDevice(path).map { passed in
        var passed = passed.withoutChanges
        passed.assumes =
          passed.assumes ?? Remedy.both("the host has \(path)", "\(user) has permission to use it")
        return passed
      }
    }
    let drivers = DriversLayer(assessment: assessment, names: names)
    if facts.hardware?.module(ofNode: path) != nil { return drivers.nodeDriverRemedies(path) }
    switch path {
    case "/dev/nvidia-uvm":
      return [
        Remedy(
          "Load the driver and create its nodes, now and at every boot",
          commands: DriversLayer.nvidiaCommands("nvidia_uvm"), actor: .administrator,
          assumes: Remedy.both(
            "the running kernel has the nvidia_uvm module",
            "nvidia-modprobe is installed as /usr/bin/nvidia-modprobe"))
      ]
    case "/dev/nvidiactl":
      return [
        Remedy(
          "Create the nodes of the NVIDIA driver", commands: ["nvidia-modprobe -c=0 -u"],
          actor: .administrator, until: .boot,
          assumes: Remedy.both(
            "nvidia-modprobe is installed", "the modules are built for the running kernel"))
      ]
    default: return []
    }
  }
}

/// A udev rule that links one name to every node of a camera.
extension NodesLayer {
  /// A line in the administrator's udev rules that creates the requested link.
  struct LinkRule {
    let place: UdevRulePlace
    let link: String

    /// A sentence that states the location and the effect of the line.
    var sentence: String { "\(place) gives every node of the device the name \(link)." }

    /// Returns the remedy that limits the line to the node that delivers the pictures.
    func remedy(for own: DeviceFacts) -> Remedy? {
      guard let index = own.index, index >= 0 else { return nil }
      let match = "ATTR{index}==\"\(index)\""
      return Remedy(
        "Limit the rule in \(place.path) to the node that delivers the pictures, by adding \(match)",
        commands: [
          "sed -i '\(place.line)s/^/\(match), /' \(place.path.shellQuoted)",
          "udevadm control --reload", "udevadm trigger --subsystem-match=video4linux",
          "udevadm settle",
        ], actor: .administrator,
        assumes: "the user has permission to use \(own.node ?? own.kernelName)")
    }
  }

  /// Returns the line that created the requested link.
  ///
  /// - Returns: The line; `nil` if there is not exactly one, or if the line already matches an
  ///   index.
  func linkRule(of device: DeviceFacts) -> LinkRule? {
    guard let link = assessment.linkInQuestion, let rules = facts.rules,
      device.subsystem == DeviceKind.camera.subsystem
    else { return nil }
    let name = UdevRuleText(exact: String(link.dropFirst("/dev/".count)))
    let lines = rules.ownFiles.flatMap { file in
      file.lines.filter { line in
        line.tokens.contains { [.link, .addLink].contains($0.key) && $0.value == name }
      }.map { (file, $0) }
    }
    guard lines.count == 1, let (file, line) = lines.first, file.path.hasPrefix("/etc/"),
      !line.tokens.contains(where: { $0.key == .attribute && $0.attribute == "index" })
    else { return nil }
    return LinkRule(place: UdevRulePlace(path: file.path, line: line.number), link: link)
  }
}

/// The v4l2loopback options that recreate the existing virtual cameras.
enum LoopbackOptions {
  /// The characters that a camera name may contain in addition to letters and digits.
  ///
  /// The name is written in double quotes in modprobe.d(5), inside a single-quoted shell word, and
  /// names are separated by commas.
  private static let marks = Set(" ()-._+:/".utf8)
  /// The maximum length of a name in the module, excluding the terminating null byte.
  private static let longestName = 31

  /// Returns the options that make each device show as a camera only while a program feeds it.
  ///
  /// The devices keep their numbers and, if possible, their names.
  ///
  /// - Parameter devices: All devices, with any driver.
  /// - Returns: The options, and whether they include the names. If any name cannot be written, the
  ///   options include no names.
  static func exclusive(_ devices: [DeviceFacts]) -> (options: String, hasNames: Bool) {
    let devices = devices.filter {
      VideoDriver(of: $0) == .loopback && $0.kernelName.hasPrefix("video")
    }
    var options = [list("exclusive_caps", Array(repeating: "1", count: max(devices.count, 1)))]
    if devices.count > 1 { options.append("devices=\(devices.count)") }
    let numbers = devices.compactMap { UInt32($0.kernelName.dropFirst("video".count)) }
    if numbers.count == devices.count, !numbers.isEmpty {
      options.append(list("video_nr", numbers.map(String.init)))
    }
    let names = devices.map { $0.name ?? "" }
    let hasNames = !names.isEmpty && names.allSatisfy(isWritable)
    if hasNames { options.append("card_label=\"\(names.joined(separator: ","))\"") }
    return (options.joined(separator: " "), hasNames)
  }

  private static func list(_ name: String, _ values: [String]) -> String {
    "\(name)=\(values.joined(separator: ","))"
  }

  private static func isWritable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestName && name.first != " " && name.last != " "
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
          || marks.contains(byte)
      }
  }
}
