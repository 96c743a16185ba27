internal import AccessModel
internal import Glibc

/// Observes what udev's rules make of a device: the rules, and all that they ask.
///
/// Rules are read as udevd reads them and applied to what is known; what they then ask is looked
/// up, and so on, until nothing is left that can be looked up. No program is run.
struct RuleObserver {
  var roots: MachineRoots

  /// The version that is assumed where none can be found: that of Debian 12.
  static let assumedVersion: UdevRuleVersion = 252
  /// Each answer can lead to further questions, but not to many.
  private static let rounds = 32

  /// Reads what decides what the rules make of a device, or of a node that has none.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - node: The path of its node.
  ///   - file: A file outside of udev's folders that is read as well.
  /// - Returns: The rules, the device, and what else they ask for.
  func observe(_ device: DeviceFacts?, node: String, and file: String?) -> RuleFacts {
    let daemon = RuleDaemon(roots: roots)
    let version = daemon.version
    let folders = RuleFolders(roots: roots)
    var files = folders.files() + folders.misplacedFiles()
    if let file, !files.contains(where: { $0.path == file || $0.path == "/usr" + file }) {
      let name = String(file.split(separator: "/").last ?? "")
      let other = RuleFolders.read(file, folder: AbsolutePath.parent(of: file), name: name)
      // Without an owner, there is no file.
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
        // One answer may make another question needless.
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
