/// One layer that can refuse: why it does, what would change that, and what tells more.
///
/// A layer has all of it in its folder: the causes that it finds, which whoever asks the layers
/// puts in order, and the fixes and look-ups for the codes that are its own
/// (``CauseCode/layer``). It asks the assessment and makes remedies; it never asks another layer.
protocol Layer: AssessmentReader {
  init(assessment: Assessment, names: Names)

  /// What the layer can do about a cause of its own, in the order of its own preference.
  func remedies(for cause: Cause) -> [Remedy]

  /// What tells more about a cause of its own and changes nothing.
  func lookups(for cause: Cause) -> [Lookup]

  /// Why a cause of its own has no fix, whatever else is in the way; `nil` where the layer does
  /// not say so.
  func note(for cause: Cause) -> String?
}

extension Layer {
  func remedies(for cause: Cause) -> [Remedy] { [] }
  func lookups(for cause: Cause) -> [Lookup] { [] }
  func note(for cause: Cause) -> String? { nil }

  /// The path of a cause, or the path that was asked about.
  func place(of cause: Cause) -> String { cause.at ?? path }

  /// The node at the path of a cause.
  func node(of cause: Cause) -> Node? {
    let place = place(of: cause)
    return access.nodes.first { $0.path.isSame(as: place) }
  }

  /// What prints the lines of the kernel's log that a pattern matches, or the last ones; without
  /// systemd there is no journal.
  func kernelLog(_ pattern: String? = nil) -> String {
    guard confinement.hasSystemd == false else {
      return pattern.map { "journalctl -k -g '\($0)'" } ?? "journalctl -k -n 50 --no-pager"
    }
    return pattern.map { "dmesg | grep -E '\($0)'" } ?? "dmesg | tail -n 50"
  }

  /// What hardware of the kind that was asked for is called in a fix.
  var hardwareNoun: String {
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    return kind == .camera ? "camera" : "device"
  }

  /// What has to hold for a device to be usable once it has a driver.
  static var nodeAssumption: String {
    "the rules of udev give its node to the user or one of their groups"
  }
}
