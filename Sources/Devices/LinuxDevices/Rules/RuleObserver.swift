internal import AccessModel
internal import CLinux
internal import Glibc
internal import UdevRules

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
    for name in facts.ownNames.union(facts.ownPrograms) { _ = answers.scan(name, &facts) }
    for action in ["add", "change"] {
      for _ in 0..<Self.rounds {
        // An answer may make another lookup unnecessary.
        var isNew = false
        for doubt in facts.doubts(action) where answers.scan(doubt, &facts) { isNew = true }
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

/// Looks up the facts that rules depend on, each one once.
struct RuleLookups {
  private let roots: MachineRoots
  private let devices: RuleDevices
  private var asked: Set<UdevRuleDoubt> = []
  private var accounts: (any AccountSource)?

  init(roots: MachineRoots, devices: RuleDevices) {
    self.roots = roots
    self.devices = devices
  }

  /// Looks up a fact and adds it; returns whether a new fact was found.
  mutating func scan(_ doubt: UdevRuleDoubt, _ facts: inout RuleFacts) -> Bool {
    guard asked.count < 4096, asked.insert(doubt).inserted else { return false }
    switch doubt {
    case .attribute(let name, let path): return readAttribute(name, path, &facts)
    case .setting(let path):
      guard
        !path.bytes.split(separator: UInt8(ascii: "/"))
          .contains(where: { $0.elementsEqual("..".utf8) })
      else { return false }
      let file = "\(roots.proc)/sys/\(ByteText(bytes: path.bytes).text)"
      do throws(Errno) {
        let bytes = try BoundedFile.read(file, limit: 4096).bytes
        facts.environment.settings[path] = .present(UdevRuleText(bytes))
      } catch {
        guard error == .noSuchFile else { return false }
        facts.environment.settings[path] = .absent
      }
    case .file(let path): return readMode(path, &facts)
    case .commandLine:
      guard let text = RuleCommandLine(roots: roots).text else { return false }
      facts.environment.commandLine = text
    case .device(let name):
      let device = devices.device(named: name.description)
      facts.environment.devices[name] = device.map { .present($0) } ?? .absent
    case .user(let name):
      return lookUp(name, \.users, &facts) { (source, name) throws(Errno) in
        try source.user(named: name)?.id
      }
    case .group(let name):
      return lookUp(name, \.groups, &facts) { (source, name) throws(Errno) in
        try source.groupID(named: name)
      }
    case .builtin(let command):
      guard let run = facts.pastRun(of: command) else { return false }
      facts.environment.builtins[command] = run
    case .program(let command):
      guard let run = facts.pastRun(ofProgram: command) else { return false }
      facts.environment.builtins[command] = run
    case .writtenAttribute, .constant, .database, .order, .version, .process, .line:
      return false
    }
    return true
  }

  private func readAttribute(
    _ name: UdevRuleText, _ path: UdevRuleText, _ facts: inout RuleFacts
  ) -> Bool {
    if let device = facts.device, device.path == path {
      guard let value = devices.attribute(name, of: device) else { return false }
      facts.device?.attributes[name] = value
      return true
    }
    if let index = facts.parents.firstIndex(where: { $0.path == path }) {
      guard let value = devices.attribute(name, of: facts.parents[index]) else { return false }
      facts.parents[index].attributes[name] = value
      return true
    }
    for (key, fact) in facts.environment.devices {
      guard case .present(var device) = fact, device.path == path,
        let value = devices.attribute(name, of: device)
      else { continue }
      device.attributes[name] = value
      facts.environment.devices[key] = .present(device)
      return true
    }
    return false
  }

  /// Records the mode of a file, or its absence, without opening it.
  private func readMode(_ path: UdevRuleText, _ facts: inout RuleFacts) -> Bool {
    guard facts.environment.files[path] == nil, path.bytes.count < 1024 else { return false }
    var place = ByteText(bytes: path.bytes).text
    if place.hasPrefix("/sys/") { place = roots.sysfs + place.dropFirst(4) }
    if place.hasPrefix("/run/") { place = roots.run + place.dropFirst(4) }
    if place.hasPrefix("/etc/") { place = roots.etc + place.dropFirst(4) }
    if place.hasPrefix("/usr/lib/") { place = roots.lib + place.dropFirst(8) }
    var status = stat()
    if unsafe stat(ByteText(place).cString, &status) == 0 {
      facts.environment.files[path] = .present(UInt32(status.st_mode))
      return true
    }
    guard [.noSuchFile, .notDirectory].contains(Errno.current) else { return false }
    facts.environment.files[path] = .absent
    return true
  }

  private mutating func lookUp(
    _ name: UdevRuleText,
    _ table: WritableKeyPath<UdevRuleEnvironment, [UdevRuleText: UdevRuleFact<UInt32>]>,
    _ facts: inout RuleFacts,
    _ find: (inout any AccountSource, String) throws(Errno) -> UInt32?
  ) -> Bool {
    var unobserved: [Unobserved] = []
    var source = accounts ?? AccountSources.source(roots, &unobserved)
    defer { accounts = source }
    do throws(Errno) {
      let id = try find(&source, ByteText(bytes: name.bytes).text)
      facts.environment[keyPath: table][name] = id.map { .present($0) } ?? .absent
      return true
    } catch {
      return false
    }
  }
}

/// Determines the state and version of udevd without contacting it.
struct RuleDaemon {
  var roots: MachineRoots

  /// Returns whether udevd is running, and since when.
  func observe() -> RuleFacts.Daemon {
    RuleFacts.Daemon(
      isReachable: UdevDatabase(roots: roots).hasControl, started: started,
      hasSystemd: roots.hasSystemd())
  }

  /// The start time of udevd's oldest process, because the others are its workers.
  private var started: Int64? {
    let unit = "system.slice/systemd-udevd.service"
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      let ticks = hierarchy.group(unit).allProcesses(limit: 64).compactMap { number -> UInt64? in
        let stat = try? BoundedFile.read("\(roots.proc)/\(number)/stat", limit: 4096)
        return stat.flatMap { ProcessStat(parsing: $0.bytes)?.startTicks }
      }
      guard let first = ticks.min() else { continue }
      return MachineClock(proc: roots.proc).date(ofTicks: first)
    }
    return nil
  }

  /// The version of systemd according to the file name of a library that udevd uses.
  var version: UdevRuleVersion? {
    let usr = AbsolutePath.parent(of: roots.lib)
    for folder in [roots.lib, "\(usr)/lib64"] {
      if let version = version(in: folder) { return version }
    }
    let names = (try? Directory.names(in: roots.lib)) ?? nil ?? []
    for name in names.filter(Self.isTriple).sorted() {
      if let version = version(in: "\(roots.lib)/\(name)") { return version }
    }
    return nil
  }

  private func version(in folder: String) -> UdevRuleVersion? {
    let names = (try? Directory.names(in: "\(folder)/systemd")) ?? nil ?? []
    for name in names.sorted() {
      if let version = Self.version(inName: name) { return version }
    }
    return nil
  }

  /// Returns whether a folder name is an architecture triplet, such as `x86_64-linux-gnu`.
  private static func isTriple(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.dropFirst().dropLast().contains { $0.elementsEqual("linux".utf8) }
  }

  /// Parses the version in a name such as `libsystemd-shared-252.so` or
  /// `libsystemd-shared-255.4-1.so`.
  static func version(inName name: String) -> UdevRuleVersion? {
    let prefix = "libsystemd-shared-"
    guard name.hasPrefix(prefix), name.contains(".so") else { return nil }
    let numbers = name.dropFirst(prefix.count).utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 2)
    guard let number = numbers.first.flatMap({ ByteScanner.number(Array($0)[...]) }),
      (200...9999).contains(number)
    else { return nil }
    let release = numbers.dropFirst().first.flatMap { part in
      ByteScanner.number(Array(part.prefix { (0x30...0x39).contains($0) })[...])
    }
    return UdevRuleVersion(Int(number), release: release.map { Int($0) })
  }
}

/// The command line that rules match: the kernel's, or the first process's in a container.
struct RuleCommandLine {
  let roots: MachineRoots

  /// The arguments, separated by spaces; `nil` if the command line cannot be read.
  var text: UdevRuleText? {
    let path = "\(roots.proc)/\(isInContainer ? "1/cmdline" : "cmdline")"
    guard let file = try? BoundedFile.read(path, limit: 1 << 16) else { return nil }
    var bytes = file.bytes.map { $0 == 0 ? ByteScanner.space : $0 }
    while let last = bytes.last, last == ByteScanner.newline || last == ByteScanner.space {
      bytes.removeLast()
    }
    return UdevRuleText(bytes)
  }

  /// A Boolean value that indicates whether udevd considers this system a container.
  ///
  /// The checks follow `detect_container` in systemd's virt.c. They differ from
  /// ``ContainerObserver``: sandboxes and control group names do not count. If this process is not
  /// permitted to read the environment of the first process, that environment is ignored.
  private var isInContainer: Bool {
    isSubsystemForLinux || isFilled("host/container-manager") || isFilled("systemd/container")
      || isToldToFirstProcess || exists("\(roots.run)/.containerenv")
      || roots == MachineRoots() && exists("/.dockerenv")
  }

  private var isSubsystemForLinux: Bool {
    let release = try? BoundedFile.line("\(roots.proc)/sys/kernel/osrelease", limit: 256)
    return release.map { $0.contains("Microsoft") || $0.contains("WSL") } ?? false
  }

  /// A Boolean value that indicates whether the first process has a `container` variable.
  ///
  /// The variable may be empty.
  private var isToldToFirstProcess: Bool {
    let file = try? BoundedFile.read("\(roots.proc)/1/environ", limit: 1 << 17)
    return file?.bytes.split(separator: 0).contains { $0.starts(with: "container=".utf8) } ?? false
  }

  private func isFilled(_ name: String) -> Bool {
    let file = try? BoundedFile.read("\(roots.run)/\(name)", limit: 80)
    return file.map { !$0.bytes.isEmpty } ?? false
  }

  private func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }
}
