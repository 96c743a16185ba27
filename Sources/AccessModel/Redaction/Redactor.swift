/// Replaces text that names a person or one piece of hardware, the same by the same everywhere.
///
/// What stands for a component of a path depends only on that component, never on its place, and
/// no two share a stand-in: so links, mounts and nodes still fit together.
struct Redactor {
  /// Stand-ins for whole components of paths.
  private var components: [PathKey: String] = [:]
  /// Stand-ins for words inside of other text, the longest first.
  private var words: [(word: [UInt8], standIn: String)] = []
  /// Stand-ins for whole values of properties.
  private var values: [PathKey: String] = [:]
  /// Stand-ins for names of containers that are not an engine's.
  private var containers: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// All text that is used for anything already, so that no stand-in means two things.
  private var taken: Set<String>

  /// Collects what has to go.
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
    where !SafeWords.engines.contains(name) && containers[name] == nil {
      containers[name] = next("container")
    }
    words.sort { ($0.word.count, $0.standIn) > ($1.word.count, $1.standIn) }
  }

  // MARK: Replacing

  /// A path, or a part of one.
  func path(_ path: String) -> String {
    path.parts(at: "/", omittingEmpty: false).map { component(String($0)) }.joined(separator: "/")
  }

  private func component(_ component: String) -> String {
    components[PathKey(component)] ?? text(component)
  }

  /// A sentence, which may hold paths.
  func sentence(_ sentence: String) -> String {
    sentence.parts(at: " ", omittingEmpty: false)
      .map { $0.utf8.contains(UInt8(ascii: "/")) ? path(String($0)) : text(String($0)) }
      .joined(separator: " ")
  }

  /// Any other text: whole words in it are replaced.
  func text(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for (word, standIn) in words { bytes.replace(word: word, with: Array(standIn.utf8)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text that is split at colons afterwards, as hardware addresses are.
  func addresses(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for (word, standIn) in words where word.contains(UInt8(ascii: ":")) {
      bytes.replace(word: word, with: Array(standIn.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The source of a mount (proc_pid_mountinfo(5)): a device, a server, or a word.
  func source(_ source: String) -> String {
    components[PathKey(source)] ?? path(source)
  }

  /// The name of a container's engine; whoever made the container may have written anything there.
  func engine(_ name: String) -> String {
    containers[name] ?? name
  }

  /// What stands for the value of a property that nothing is known of.
  func standIn(for value: String) -> String {
    values[PathKey(value)] ?? "value"
  }

  /// A value in the administrator's own rules, which they compare or set; `nil` for one that stays.
  func standIn(forRuleValue value: String) -> String? { values[PathKey(value)] }

  // MARK: Collecting

  private mutating func people(in account: AccountFacts) {
    let people = account.userNames.filter { Self.isPerson($0.key) }.sorted { $0.key < $1.key }
    for (_, name) in people { person(name) }
    if let user = account.user, !account.userNames.values.contains(user) { person(user) }
    for (id, name) in account.groupNames.sorted(by: { $0.key < $1.key })
    where Self.isPerson(id) && components[PathKey(name)] == nil && !SafeWords.names.contains(name) {
      add(word: name, component: name, "group")
    }
  }

  /// Whom the administrator's rules name as owners and groups of nodes, unless they are the system's.
  private mutating func people(in rules: RuleFacts, account: AccountFacts) {
    for owner in rules.ownOwners {
      let known = owner.isGroup ? account.groupNames : account.userNames
      let id = owner.id ?? known.first { $0.value == owner.name }?.key
      guard id.map(Self.isPerson) ?? true else { continue }
      if !owner.isGroup {
        person(owner.name)
      } else if components[PathKey(owner.name)] == nil, !SafeWords.names.contains(owner.name) {
        add(word: owner.name, component: owner.name, "group")
      }
    }
  }

  private mutating func person(_ name: String) {
    guard components[PathKey(name)] == nil, !SafeWords.names.contains(name) else { return }
    add(word: name, component: name, "user")
  }

  private static func isPerson(_ id: UInt32) -> Bool {
    id >= SafeWords.firstPerson && id != SafeWords.nobody
  }

  /// Everything that lies in a directory of a person, but for names that devices have, too.
  private mutating func homes(in path: String, home: String?, keeping fixed: Set<String>) {
    var parents = SafeWords.parentsOfHomes
    var homes = ["/root"]
    if let home, let slash = home.utf8.lastIndex(of: UInt8(ascii: "/")), home != "/root" {
      let name = String(Substring(home[slash...].utf8.dropFirst()))
      if slash > home.startIndex {
        parents.append(String(home[..<slash]))
      } else if !SafeWords.names.contains(name) {
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

  /// The names on the way below a home directory.
  private mutating func contents(_ names: ArraySlice<String>, keeping fixed: Set<String>) {
    for name in names where !fixed.contains(name) && !SafeWords.names.contains(name) {
      replace(component: name, "name")
    }
  }

  /// The server, the volume or the program behind a mount.
  private mutating func volumes(of mount: Mount) {
    guard let source = mount.source, components[PathKey(source)] == nil else { return }
    let parts = source.parts(at: "/").map(String.init)
    if source.isBelow("/dev") {
      // The device mapper's and LVM's own names: /dev/mapper/NAME, /dev/GROUP/NAME.
      guard parts.count == 3 else { return }
      for name in parts.dropFirst() where !SafeWords.names.contains(name) {
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
      for property in SafeWords.serialProperties {
        // One as short as "0001" names no device, and is a part of much else.
        guard let serial = device.properties[property], serial.utf8.count >= 6 else { continue }
        add(word: serial, component: nil, "serial")
      }
      values(in: device.properties.mapValues { [$0] })
    }
  }

  private mutating func values(in properties: [String: [String]]) {
    for (key, texts) in properties.sorted(by: { $0.key < $1.key })
    where !SafeWords.isHarmless(property: key) {
      for value in texts where values[PathKey(value)] == nil {
        values[PathKey(value)] =
          words.first { $0.word == Array(value.utf8) }?.standIn ?? next("value")
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
    let standIn = next(sort, length: component == nil ? 0 : word.utf8.count)
    words.append((bytes, standIn))
    if let component { components[PathKey(component)] = standIn }
  }

  /// A stand-in that is not in use; for a name of so unusual a length that it may decide
  /// (`NAME_MAX`), one as long.
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
  /// Every text of the facts that may be a path or hold an identifier.
  fileprivate var paths: [String] {
    var paths = [access.request.path]
    paths += access.nodes.flatMap { [$0.path, $0.target ?? ""] }
    paths += access.mounts.flatMap { [$0.at, $0.source ?? ""] }
    paths += devices.flatMap { device in
      [device.node ?? "", device.systemNode ?? "", device.sysfsPath, device.name ?? ""]
        + device.links
        + device.properties.filter { SafeWords.isHarmless(property: $0.key) }.values.sorted()
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
    paths += attempts.map(\.path)
    paths += hardware?.unbound.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += hardware?.interfaces.map(\.sysfsPath) ?? []
    paths += hardware?.usb.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += hardware?.held.flatMap { [$0.sysfsPath, $0.name ?? ""] } ?? []
    paths += rules?.paths ?? []
    paths += kernelChecks.map(\.path) + unobserved.compactMap(\.at)
    return paths + sentences + sentences.flatMap(\.pathsWithin)
  }

  /// Every text of the facts that may have a path in its middle.
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
  /// What may be paths in a sentence, with the marks behind them.
  fileprivate var pathsWithin: [String] {
    parts(at: " ").compactMap { word in
      word.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(word[$0...]) }
    }
  }
}
