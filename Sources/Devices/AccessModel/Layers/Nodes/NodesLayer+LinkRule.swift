/// A udev rule that links one name to every node of a camera.
extension NodesLayer {
  /// A line in the administrator's udev rules that creates the requested link.
  struct LinkRule {
    let place: UdevRulePlace
    let link: String

    /// A sentence that identifies the line.
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
        assumes: "the user has permission on \(own.node ?? own.kernelName)")
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
