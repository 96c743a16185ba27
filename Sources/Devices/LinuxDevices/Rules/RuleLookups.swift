internal import AccessModel
internal import CLinux
internal import Glibc

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
  mutating func look(_ doubt: UdevRuleDoubt, _ facts: inout RuleFacts) -> Bool {
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
