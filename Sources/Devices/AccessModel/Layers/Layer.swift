/// One of the layers that can refuse access.
///
/// The folder of a layer contains the descriptions of its causes, most of the functions that find
/// them in the facts, and the fixes and look-ups. ``RefusalCauses`` and ``AbsenceCauses`` order the
/// causes of all layers; `Explanation` also has the causes that combine several layers. A layer reads the assessment and creates remedies.
protocol Layer: AssessmentReader {
  /// The descriptions of the causes that the layer can find.
  static var causes: [CauseDescription<Self>] { get }

  init(assessment: Assessment, names: Names)
}

extension Layer {
  private func description(of cause: Cause) -> CauseDescription<Self>? {
    Self.causes.first { $0.code == cause.code }
  }

  /// Returns the fixes for a cause of the layer, in the layer's order of preference.
  func remedies(for cause: Cause) -> [Remedy] {
    description(of: cause)?.remedies(self, cause) ?? []
  }

  /// Returns the commands that show more about a cause of the layer and change nothing.
  func lookups(for cause: Cause) -> [Lookup] {
    description(of: cause)?.lookups(self, cause) ?? []
  }

  /// Returns the reason why a cause of the layer has no fix; `nil` if the layer does not know one.
  ///
  /// The reason applies even if other causes also refuse access.
  func note(for cause: Cause) -> String? { description(of: cause)?.note(self, cause) }

  /// Returns whether the requested object is missing if a cause of the layer is the main one.
  func isObjectMissing(because cause: Cause) -> Bool {
    description(of: cause)?.isObjectMissing(self) ?? false
  }

  /// Returns whether a lasting fix precedes narrower ones if a cause of the layer is the main one.
  func prefers(_ remedy: Remedy, for cause: Cause) -> Bool {
    description(of: cause)?.prefers(self, remedy) ?? false
  }

  /// Returns the place of the layer's own fixes if a cause of the layer is the main one.
  func precedence(for cause: Cause) -> RemedyPrecedence {
    description(of: cause)?.precedence(self) ?? .byOrder
  }

  /// A Boolean value that indicates whether a kind was requested and no device of it can be used.
  var isKindRefused: Bool { facts.kind != nil && !assessment.isGranted }

  /// Returns the path of a cause; if the cause has none, the requested path.
  func place(of cause: Cause) -> String { cause.at ?? path }

  /// Returns the node at the path of a cause.
  func node(of cause: Cause) -> Node? {
    let place = place(of: cause)
    return access.nodes.first { $0.path.isSame(as: place) }
  }

  /// Returns the command that prints kernel log lines.
  ///
  /// The command prints the lines that match the pattern or, without a pattern, the last lines. It
  /// uses dmesg(1) on a system without systemd, which has no journal.
  func kernelLog(_ pattern: String? = nil) -> String {
    guard confinement.hasSystemd == false else {
      return pattern.map { "journalctl -k -g '\($0)'" } ?? "journalctl -k -n 50 --no-pager"
    }
    return pattern.map { "dmesg | grep -E '\($0)'" } ?? "dmesg | tail -n 50"
  }

  /// The noun for the requested hardware in the text of a fix.
  var hardwareNoun: String {
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    return kind == .camera ? "camera" : "device"
  }

  /// The condition that makes a node usable once its device has a driver.
  var nodeAssumption: String {
    if subject.effective.contains(.overrideFileAccess) { return "the driver then creates the node" }
    return facts.isOpenWrt
      ? "the user has permission to use the node"
      : "the udev rules give the user, or one of the user's groups, access to the node"
  }

  /// Returns the remedy that makes WSL start systemd.
  static func systemdOfWSL(_ assumption: String?) -> Remedy {
    Remedy(
      "Have WSL start systemd, which starts udev and loads drivers",
      commands: ["printf '%s\\n' '[boot]' 'systemd=true' >> /etc/wsl.conf"],
      actor: .administrator, takesEffect: "after you run wsl.exe --shutdown in Windows",
      assumes: Remedy.both(
        Remedy.both(
          "WSL is 0.67.6 or later (wsl.exe --version)", "/etc/wsl.conf has no [boot] section yet"),
        assumption))
  }
}

/// The static description of a cause: its code, its title, and what is special about an answer with
/// this cause.
///
/// ``CauseCode`` lists the codes, the article *Causes* describes them for users, and the layers
/// write the summary of each individual cause. CONTRIBUTING.md lists what a new cause needs.
struct CauseDescription<Described: Layer>: Sendable {
  let code: CauseCode
  /// A title of a few words.
  let title: String
  let object: CauseObject
  /// Returns the fixes, in the layer's order of preference.
  let remedies: @Sendable (Described, Cause) -> [Remedy]
  /// Returns the commands that show more about the cause and change nothing.
  let lookups: @Sendable (Described, Cause) -> [Lookup]
  /// Returns the reason why the cause has no fix; `nil` if the layer does not know one.
  let note: @Sendable (Described, Cause) -> String?
  /// Returns whether the requested object is missing if this is the main cause.
  let isObjectMissing: @Sendable (Described) -> Bool
  /// The status of a unit for which the object is missing for this reason.
  let statusIfMissing: PermissionStatus
  /// Returns whether a lasting fix precedes narrower ones if this is the main cause.
  let prefers: @Sendable (Described, Remedy) -> Bool
  /// Returns the place of the layer's own fixes if this is the main cause.
  let precedence: @Sendable (Described) -> RemedyPrecedence

  /// Creates the description of a cause that by default has no remedies, look-ups or note.
  ///
  /// By default, the requested kind is missing if the cause is about hardware without a node.
  init(
    _ code: CauseCode, _ title: String, object: CauseObject = .requested,
    isObjectMissing: (@Sendable (Described) -> Bool)? = nil,
    statusIfMissing: PermissionStatus = .absent,
    prefers: @escaping @Sendable (Described, Remedy) -> Bool = { _, _ in false },
    precedence: @escaping @Sendable (Described) -> RemedyPrecedence = { _ in .byOrder },
    remedies: @escaping @Sendable (Described, Cause) -> [Remedy] = { _, _ in [] },
    lookups: @escaping @Sendable (Described, Cause) -> [Lookup] = { _, _ in [] },
    note: @escaping @Sendable (Described, Cause) -> String? = { _, _ in nil }
  ) {
    self.code = code
    self.title = title
    self.object = object
    self.remedies = remedies
    self.lookups = lookups
    self.note = note
    self.isObjectMissing = isObjectMissing ?? { object == .hardware && $0.isKindRefused }
    self.statusIfMissing = statusIfMissing
    self.prefers = prefers
    self.precedence = precedence
  }
}

/// The place of the fixes that a layer offers for the main cause, among all fixes.
enum RemedyPrecedence: Sendable {
  /// Their place in the general order (``RemedyOrder``).
  case byOrder
  /// Before all others.
  case first
  /// The best of them replaces all others.
  case only
}

/// The object that a cause is about.
enum CauseObject: Sendable {
  /// The requested object or a component of its path, whose permissions are in the facts.
  case requested
  /// An object other than the one whose permissions are in the facts.
  ///
  /// Examples are a mount that covers the path, another device, a login service that holds the
  /// node, and a node whose permissions udev has not set yet.
  case other
  /// Hardware that has no node, either in the container or on the whole machine.
  case hardware
}
