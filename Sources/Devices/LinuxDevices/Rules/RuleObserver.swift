internal import AccessModel
internal import Glibc

/// Observes the rules that apply to a device, and every fact that they depend on.
///
/// Rules are read as udevd reads them, and applied to the known facts. The facts that they then
/// lack are looked up, and the rules are applied again, until no further fact can be found. No
/// program is run.
struct RuleObserver {
  var roots: MachineRoots

  /// The version of Debian 12, which is assumed if the version cannot be determined.
  static let assumedVersion: UdevRuleVersion = 252
  /// A limit that exceeds the usual number of rounds, because a fact rarely raises further
  /// questions.
  private static let rounds = 32

  /// Reads everything that determines the result of the rules for a device or node.
  ///
  /// - Parameters:
  ///   - device: The device; `nil` if the node has no device.
  ///   - node: The path of the device's node.
  ///   - file: The path of an additional rules file outside udev's folders.
  /// - Returns: The rules, the device, and the other facts that the rules depend on.
  func observe(_ device: DeviceFacts?, node: String, and file: String?) -> RuleFacts {
    let daemon = RuleDaemon(roots: roots)
    let version = daemon.version
    let folders = RuleFolders(roots: roots)
    var files = folders.files() + folders.misplacedFiles()
    if let file, !files.contains(where: { $0.path == file || $0.path == "/usr" + file }) {
      let name = String(file.split(separator: "/").last ?? "")
      let other = RuleFolders.read(file, folder: AbsolutePath.parent(of: file), name: name)
      // If the owner is unknown, the file does not exist or cannot be inspected.
      if other.owner != nil { files.append(other) }
    }
    var facts = RuleFacts(
      node: node, files: files, version: version ?? Self.assumedVersion,
      isVersionKnown: version != nil)
    facts.daemon = daemon.observe()
    guard let device, device.sysfsPath.hasPrefix(roots.sysfs + "/") else {
      var reader = HardwareReader()
      if node.hasPrefix("/dev/") {
        facts.staticModule =
          ModuleObserver(roots: roots).module(ofNode: String(node.dropFirst(5)), &reader)
          .flatMap { $0.node == nil ? nil : $0.name }
      }
      return facts
    }
    let devices = RuleDevices(roots: roots)
    let path = String(device.sysfsPath.dropFirst(roots.sysfs.count))
    facts.device = devices.device(path, isEvent: true)
    facts.parents = devices.parents(of: path)
    readEntry(&facts, devices)
    fill(&facts, devices)
    return facts
  }

  private func readEntry(_ facts: inout RuleFacts, _ devices: RuleDevices) {
    guard let device = facts.device else { return }
    if let failure = UdevDatabase(roots: roots).folderFailure, failure != .noSuchFile { return }
    let entry = devices.entry(of: device)
    facts.handled = entry?.written
    facts.record = UdevRuleEvent.Record(
      properties: Dictionary(
        (entry?.record.properties ?? [:]).map { (UdevRuleText($0.key), UdevRuleText($0.value)) },
        uniquingKeysWith: { first, _ in first }),
      tags: Set((entry?.record.tags ?? []).map { UdevRuleText($0) }),
      currentTags: entry.map { $0.currentTags } ?? [],
      links: Set((entry?.record.links ?? []).map { UdevRuleText($0) }))
  }

  private func fill(_ facts: inout RuleFacts, _ devices: RuleDevices) {
    for name in facts.ownAttributes { readEverywhere(name, &facts, devices) }
    var answers = RuleLookups(roots: roots, devices: devices)
    for name in facts.ownNames.union(facts.ownPrograms) { _ = answers.look(name, &facts) }
    for action in ["add", "change"] {
      for _ in 0..<Self.rounds {
        // An answer may make another lookup unnecessary.
        var isNew = false
        for doubt in facts.doubts(action) where answers.look(doubt, &facts) { isNew = true }
        if !isNew { break }
      }
    }
  }

  private func readEverywhere(
    _ name: UdevRuleText, _ facts: inout RuleFacts, _ devices: RuleDevices
  ) {
    if let device = facts.device {
      facts.device?.attributes[name] = devices.attribute(name, of: device)
    }
    for index in facts.parents.indices {
      facts.parents[index].attributes[name] = devices.attribute(name, of: facts.parents[index])
    }
  }
}
