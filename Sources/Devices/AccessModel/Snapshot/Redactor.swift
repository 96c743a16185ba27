extension AccessFacts {
  /// Returns the facts without data that identifies a person or an individual piece of hardware.
  ///
  /// Placeholders such as `user1` replace the following:
  ///
  /// - the names of people, their groups and their home directories, and everything in these
  ///   directories;
  /// - serial numbers, hardware addresses, and IDs such as those of filesystems and containers;
  /// - the names of volumes and servers;
  /// - the values of device properties that are not known to be harmless.
  ///
  /// The same text has the same placeholder everywhere, so paths still lead to their nodes. Facts
  /// that affect the decision are preserved: user and group IDs, modes, ACLs, mounts and their
  /// options, and kinds of devices.
  ///
  /// - Returns: The redacted facts; `nil` if they would give another decision, for example because
  ///   a path is refused for its length.
  public func redacted() -> AccessFacts? {
    let redactor = Redactor(self)
    var facts = self
    facts.kind = kind.map(redactor.text)
    facts.access = redactor.access(access)
    facts.devices = devices.map(redactor.device)
    facts.interpreters = interpreters.map(redactor.path)
    facts.account = redactor.account(account)
    facts.album?.path = album?.path.map(redactor.path)
    facts.album?.problem = album?.problem.map(redactor.sentence)
    facts.session = session.map(redactor.session)
    facts.origin?.name = origin?.name.map(redactor.text)
    facts.origin?.variations = origin?.variations.map(redactor.sentence) ?? []
    facts.confinement = redactor.confinement(confinement)
    facts.hardware = hardware.map(redactor.hardware)
    facts.portal?.storedAnswer = portal?.storedAnswer.map(redactor.text)
    facts.portal?.problem = portal?.problem.map(redactor.sentence)
    facts.use = use.map(redactor.use)
    facts.rules = rules.map(redactor.rules)
    for index in attempts.indices {
      facts.attempts[index].path = redactor.path(attempts[index].path)
    }
    for index in kernelChecks.indices {
      facts.kernelChecks[index].path = redactor.path(kernelChecks[index].path)
    }
    for index in unobserved.indices {
      facts.unobserved[index].layer = redactor.text(unobserved[index].layer)
      facts.unobserved[index].at = unobserved[index].at.map(redactor.path)
      facts.unobserved[index].reason = redactor.sentence(unobserved[index].reason)
    }
    guard isAnswered(as: facts, redactor) else { return nil }
    return facts
  }

  private func isAnswered(as facts: AccessFacts, _ redactor: Redactor) -> Bool {
    let before = access.decide(.brief)
    let after = facts.access.decide(.brief)
    return before.outcome.isSame(as: after.outcome) && before.rule == after.rule
      && before.at.map(redactor.path) == after.at
  }
}

extension Outcome {
  /// Returns whether two outcomes are equal, apart from the explanation of what is unknown.
  fileprivate func isSame(as other: Outcome) -> Bool {
    if case .undecided = self, case .undecided = other { return true }
    return self == other
  }
}

/// Replaces text that identifies a person or an individual piece of hardware with placeholders.
///
/// The same text always has the same placeholder. The placeholder for a path component depends only
/// on the component, not on its position, and no two components share a placeholder. Links, mounts
/// and nodes therefore remain consistent.
struct Redactor {
  /// The placeholders for whole path components.
  private var components: [PathKey: String] = [:]
  /// The placeholders for words in other text, starting with the longest word.
  private var words: [(word: [UInt8], placeholder: String)] = []
  /// The placeholders for whole property values.
  private var values: [PathKey: String] = [:]
  /// The placeholders for container names that are not the name of a known engine.
  private var containers: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// All names that are in use, so that a placeholder never has two meanings.
  private var taken: Set<String>

  /// Collects the texts to replace.
  init(_ facts: AccessFacts) {
    let paths = facts.paths
    taken = Set(paths.flatMap { $0.parts(at: "/").map(String.init) })
    taken.formUnion(facts.account.userNames.values)
    taken.formUnion(facts.account.groupNames.values)
    people(in: facts.account)
    for holder in facts.use?.devices.flatMap(\.holders) ?? [] {
      guard let name = holder.process.userName,
        holder.process.user.map(Self.isPerson) ?? true
      else { continue }
      person(name)
    }
    if let rules = facts.rules { people(in: rules, account: facts.account) }
    let fixed = Set(
      paths.filter { $0.isBelow("/dev") || $0.isBelow("/sys") }
        .flatMap { $0.parts(at: "/").map(String.init) })
    for path in paths { homes(in: path, home: facts.account.home, keeping: fixed) }
    for mount in facts.access.mounts { volumes(of: mount) }
    serials(of: facts.devices)
    values(in: facts.rules?.ownProperties ?? [:])
    for serial in facts.rules?.serials ?? [] { add(word: serial, component: nil, "serial") }
    identifiers(in: paths + (facts.rules?.texts ?? []))
    let holders = facts.use?.devices.flatMap(\.holders) ?? []
    let clients = holders.flatMap { $0.clients ?? [] }.compactMap(\.process)
    let processes = holders.map(\.process) + clients
    for case let name? in [facts.confinement.container] + processes.map(\.container)
    where !AllowedWords.engines.contains(name) && containers[name] == nil {
      containers[name] = next("container")
    }
    words.sort { ($0.word.count, $0.placeholder) > ($1.word.count, $1.placeholder) }
  }

  // MARK: Replacing

  /// Returns a redacted path, or a redacted part of one.
  func path(_ path: String) -> String {
    path.parts(at: "/", omittingEmpty: false).map { component(String($0)) }.joined(separator: "/")
  }

  private func component(_ component: String) -> String {
    components[PathKey(component)] ?? text(component)
  }

  /// Returns a redacted sentence, which may contain paths.
  func sentence(_ sentence: String) -> String {
    sentence.parts(at: " ", omittingEmpty: false)
      .map { $0.utf8.contains(UInt8(ascii: "/")) ? path(String($0)) : text(String($0)) }
      .joined(separator: " ")
  }

  /// Returns any other text with whole words replaced.
  func text(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for (word, placeholder) in words { bytes.replace(word: word, with: Array(placeholder.utf8)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns text with only the hardware addresses replaced, for text that is later split at
  /// colons.
  func addresses(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for (word, placeholder) in words where word.contains(UInt8(ascii: ":")) {
      bytes.replace(word: word, with: Array(placeholder.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the redacted source of a mount (proc_pid_mountinfo(5)): a device, a server or a word.
  func source(_ source: String) -> String {
    components[PathKey(source)] ?? path(source)
  }

  /// Returns the redacted name of a container engine.
  ///
  /// The creator of a container can set the name to arbitrary text.
  func engine(_ name: String) -> String {
    containers[name] ?? name
  }

  /// Returns the placeholder for a property value that is not known to be harmless.
  func placeholder(for value: String) -> String {
    values[PathKey(value)] ?? "value"
  }

  /// Returns the placeholder for a property value in the administrator's own rules.
  ///
  /// - Returns: The placeholder; `nil` if the value is preserved.
  func placeholder(forRuleValue value: String) -> String? { values[PathKey(value)] }

  // MARK: Collecting

  private mutating func people(in account: AccountFacts) {
    let people = account.userNames.filter { Self.isPerson($0.key) }.sorted { $0.key < $1.key }
    for (_, name) in people { person(name) }
    if let user = account.user, !account.userNames.values.contains(user) { person(user) }
    for (id, name) in account.groupNames.sorted(by: { $0.key < $1.key })
    where Self.isPerson(id) && components[PathKey(name)] == nil
      && !AllowedWords.names.contains(name)
    {
      add(word: name, component: name, "group")
    }
  }

  /// Collects the owners and groups of nodes that the administrator's rules name, except system
  /// accounts.
  private mutating func people(in rules: RuleFacts, account: AccountFacts) {
    for owner in rules.ownOwners {
      let known = owner.isGroup ? account.groupNames : account.userNames
      let id = owner.id ?? known.first { $0.value == owner.name }?.key
      guard id.map(Self.isPerson) ?? true else { continue }
      if !owner.isGroup {
        person(owner.name)
      } else if components[PathKey(owner.name)] == nil, !AllowedWords.names.contains(owner.name) {
        add(word: owner.name, component: owner.name, "group")
      }
    }
  }

  private mutating func person(_ name: String) {
    guard components[PathKey(name)] == nil, !AllowedWords.names.contains(name) else { return }
    add(word: name, component: name, "user")
  }

  private static func isPerson(_ id: UInt32) -> Bool {
    id >= AllowedWords.firstPerson && id != AllowedWords.nobody
  }

  /// Collects all names in the home directory of a person, except those that devices also have.
  private mutating func homes(in path: String, home: String?, keeping fixed: Set<String>) {
    var parents = AllowedWords.parentsOfHomes
    var homes = ["/root"]
    if let home, let slash = home.utf8.lastIndex(of: UInt8(ascii: "/")), home != "/root" {
      let name = String(Substring(home[slash...].utf8.dropFirst()))
      if slash > home.startIndex {
        parents.append(String(home[..<slash]))
      } else if !AllowedWords.names.contains(name) {
        person(name)
        homes.append(home)
      }
    }
    for parent in parents where path.isBelow(parent) {
      let rest = Self.names(in: path, below: parent)
      if let owner = rest.first { person(owner) }
      contents(rest.dropFirst(), keeping: fixed)
    }
    for home in homes where path.isBelow(home) {
      contents(Self.names(in: path, below: home)[...], keeping: fixed)
    }
  }

  private static func names(in path: String, below directory: String) -> [String] {
    Substring(path.utf8.dropFirst(directory.utf8.count)).parts(at: "/").map(String.init)
  }

  /// Collects the names on a path below a home directory.
  private mutating func contents(_ names: ArraySlice<String>, keeping fixed: Set<String>) {
    for name in names where !fixed.contains(name) && !AllowedWords.names.contains(name) {
      replace(component: name, "name")
    }
  }

  /// Collects the name of the server, volume or program that is the source of a mount.
  private mutating func volumes(of mount: Mount) {
    guard let source = mount.source, components[PathKey(source)] == nil else { return }
    let parts = source.parts(at: "/").map(String.init)
    if source.isBelow("/dev") {
      // The names that the device mapper and LVM create: `/dev/mapper/NAME` and `/dev/GROUP/NAME`.
      guard parts.count == 3 else { return }
      for name in parts.dropFirst() where !AllowedWords.names.contains(name) {
        replace(component: name, "volume")
      }
    } else if !source.begins(with: "/") && parts.count > 1 || source.begins(with: "//")
      || source.utf8.contains(where: ":@".utf8.contains)
    {
      replace(component: source, "source")
    }
  }

  private mutating func replace(component: String, _ sort: String) {
    guard components[PathKey(component)] == nil else { return }
    components[PathKey(component)] = next(sort, length: component.utf8.count)
  }

  private mutating func serials(of devices: [DeviceFacts]) {
    for device in devices {
      for property in AllowedWords.serialProperties {
        // A short serial number such as "0001" identifies no device, and occurs in many other
        // texts.
        guard let serial = device.properties[property], serial.utf8.count >= 6 else { continue }
        add(word: serial, component: nil, "serial")
      }
      values(in: device.properties.mapValues { [$0] })
    }
  }

  private mutating func values(in properties: [String: [String]]) {
    for (key, texts) in properties.sorted(by: { $0.key < $1.key })
    where !AllowedWords.isHarmless(property: key) {
      for value in texts where values[PathKey(value)] == nil {
        values[PathKey(value)] =
          words.first { $0.word == Array(value.utf8) }?.placeholder ?? next("value")
      }
    }
  }

  private mutating func identifiers(in texts: [String]) {
    for text in texts {
      for identifier in text.utf8.identifiers() { add(word: identifier, component: nil, "id") }
    }
  }

  private mutating func add(word: String, component: String?, _ sort: String) {
    let bytes = Array(word.utf8)
    guard !words.contains(where: { $0.word == bytes }) else { return }
    let placeholder = next(sort, length: component == nil ? 0 : word.utf8.count)
    words.append((bytes, placeholder))
    if let component { components[PathKey(component)] = placeholder }
  }

  /// Returns an unused placeholder.
  ///
  /// If the original name is so long that its length may affect the decision (`NAME_MAX`), the
  /// placeholder has the same length.
  private mutating func next(_ sort: String, length: Int = 0) -> String {
    while true {
      let number = counts[sort, default: 0] + 1
      counts[sort] = number
      var name = "\(sort)\(number)"
      if length > 128 {
        name += "-" + String(repeating: "x", count: max(0, length - name.utf8.count - 1))
      }
      if taken.insert(name).inserted { return name }
    }
  }
}

extension AccessFacts {
  /// All texts in the facts that may be paths or contain an identifier.
  fileprivate var paths: [String] {
    var paths = [access.request.path]
    paths += access.nodes.flatMap { [$0.path, $0.target ?? ""] }
    paths += access.mounts.flatMap { [$0.at, $0.source ?? ""] }
    paths += devices.flatMap { device in
      [device.node ?? "", device.systemNode ?? "", device.sysfsPath, device.name ?? ""]
        + device.links
        + device.properties.filter { AllowedWords.isHarmless(property: $0.key) }.values.sorted()
    }
    paths += [album?.path, account.home, confinement.cgroup, confinement.unit].compactMap { $0 }
    let service = confinement.service
    paths += [confinement.container, confinement.application?.name, service?.rootDirectory]
      .compactMap { $0 }
    paths += confinement.application?.filesystems ?? []
    paths += confinement.privateMounts
    paths += service?.policies.flatMap { [$0.unit] + $0.missed } ?? []
    paths += service?.protected?.map(\.at) ?? []
    paths += use?.devices.flatMap(\.texts) ?? []
    paths += attempts.map(\.path) + interpreters
    paths += hardware?.unbound.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += hardware?.interfaces.map(\.sysfsPath) ?? []
    paths += hardware?.usb.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += hardware?.held.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += rules?.paths ?? []
    paths += kernelChecks.map(\.path) + unobserved.compactMap(\.at)
    return paths + sentences + sentences.flatMap(\.pathsWithin)
  }

  /// All texts in the facts that may contain a path among other words.
  private var sentences: [String] {
    let service = confinement.service
    let single = [
      album?.problem, portal?.problem, confinement.label, confinement.profileRule,
      service?.appArmorProfile, service?.selinuxContext,
    ]
    return single.compactMap { $0 } + (origin?.variations ?? []) + unobserved.map(\.reason)
  }
}

extension String {
  /// The parts of a sentence that may be paths, including any punctuation after them.
  fileprivate var pathsWithin: [String] {
    parts(at: " ").compactMap { word in
      word.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(word[$0...]) }
    }
  }
}
