/// One layer that can refuse access: why it does, what would change that, and what shows more.
///
/// A layer has all of it in its folder: a description of each cause, the functions that find the causes in
/// the facts, and their fixes and look-ups. ``CauseOrder`` puts the causes of all layers in order. A layer
/// reads the assessment and makes remedies.
protocol Layer: AssessmentReader {
  /// The causes that the layer finds.
  static var causes: [CauseDescription<Self>] { get }

  init(assessment: Assessment, names: Names)
}

extension Layer {
  private func description(of cause: Cause) -> CauseDescription<Self>? {
    Self.causes.first { $0.code == cause.code }
  }

  /// Returns the fixes for a cause of the layer, in the order of its own preference.
  func remedies(for cause: Cause) -> [Remedy] {
    description(of: cause)?.remedies(self, cause) ?? []
  }

  /// Returns the commands that show more about a cause of the layer and change nothing.
  func lookups(for cause: Cause) -> [Lookup] {
    description(of: cause)?.lookups(self, cause) ?? []
  }

  /// Returns the reason why a cause of the layer has no fix, whatever else refuses; `nil` if the layer
  /// has none to give.
  func note(for cause: Cause) -> String? { description(of: cause)?.note(self, cause) }

  /// Returns the path of a cause, or the requested path.
  func place(of cause: Cause) -> String { cause.at ?? path }

  /// Returns the node at the path of a cause.
  func node(of cause: Cause) -> Node? {
    let place = place(of: cause)
    return access.nodes.first { $0.path.isSame(as: place) }
  }

  /// Returns the command that prints the lines of the kernel's log that match a pattern, or the last lines.
  ///
  /// Without systemd there is no journal.
  func kernelLog(_ pattern: String? = nil) -> String {
    guard confinement.hasSystemd == false else {
      return pattern.map { "journalctl -k -g '\($0)'" } ?? "journalctl -k -n 50 --no-pager"
    }
    return pattern.map { "dmesg | grep -E '\($0)'" } ?? "dmesg | tail -n 50"
  }

  /// The noun for the requested hardware in a fix.
  var hardwareNoun: String {
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    return kind == .camera ? "camera" : "device"
  }

  /// The condition under which a device with a driver can be used.
  static var nodeAssumption: String {
    "the udev rules give the device node to the user or to one of the user's groups"
  }

  /// Returns the remedy that has WSL start systemd.
  static func systemdOfWSL(_ assumption: String?) -> Remedy {
    Remedy(
      "Have WSL start systemd, which starts udev and loads drivers",
      commands: ["printf '%s\\n' '[boot]' 'systemd=true' >> /etc/wsl.conf"],
      actor: .administrator, takesEffect: "after wsl.exe --shutdown, in Windows",
      assumes: Remedy.both(
        """
        WSL has version 0.67.6 or later (wsl.exe --version), and /etc/wsl.conf has no section \
        [boot] yet
        """, assumption))
  }
}
