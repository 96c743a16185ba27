internal import AccessModel
internal import Glibc

/// A batch in the format that the server reads; `oracle_message.c` describes it.
struct OracleMessage {
  private(set) var bytes: [UInt8] = []

  init(_ batch: CaseBatch, _ intervention: Intervention? = nil) {
    append(
      (batch.protectedSymlinks ? 1 : 0) | batch.protectedRegular << 8 | batch.protectedFifos << 16)
    let namespaces = Self.namespaces(of: batch)
    append(namespaces.count)
    for namespace in namespaces {
      append(namespace.users)
      append(namespace.groups)
    }
    append(batch.mounts.count)
    for mount in batch.mounts { append(mount, namespaces) }
    append(batch.trials.first?.subject.deviceCgroup)
    append(intervention == nil ? 0 : 1)
    for text in intervention?.accounts.files ?? [] { append(text) }
    append(batch.nodes.count + Set(batch.mounts.dropFirst().map(\.at)).count)
    for node in batch.nodes { append(node, on: batch.mounts) }
    append(batch.trials.count)
    for trial in batch.trials { append(trial, namespaces) }
    append(intervention?.commands.count ?? 0)
    for command in intervention?.commands ?? [] {
      append(command.user)
      append(command.group)
      append(command.groups.count)
      for group in command.groups { append(group) }
      append(command.text)
    }
    append(intervention?.trials.count ?? 0)
    for trial in intervention?.trials ?? [] { append(trial, namespaces) }
  }

  /// Returns the namespaces, with those of ID-mapped mounts first.
  ///
  /// The namespaces of mounts are not shared with others, because the kernel refuses to map a mount
  /// with the namespace that owns its filesystem.
  private static func namespaces(of batch: CaseBatch) -> [IDMapping] {
    var others: [IDMapping] = []
    let owners = batch.mounts.map(\.filesystemNamespace)
    for case let mapping? in owners + batch.trials.map(\.subject.userNamespace)
    where !others.contains(mapping) {
      others.append(mapping)
    }
    return batch.mounts.compactMap(\.idmap) + others
  }

  // Words and texts

  private mutating func append(_ word: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift)))
    }
  }

  private mutating func append(_ number: Int) {
    append(UInt32(truncatingIfNeeded: number))
  }

  private mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  private mutating func append(_ long: UInt64) {
    append(UInt32(truncatingIfNeeded: long))
    append(UInt32(truncatingIfNeeded: long >> 32))
  }

  // Parts

  private mutating func append(_ map: IDMap) {
    append(map.ranges.count)
    for range in map.ranges {
      append(range.inside)
      append(range.outside)
      append(range.length)
    }
  }

  private mutating func append(_ mapping: IDMapping?, _ namespaces: [IDMapping]) {
    append(mapping.flatMap { namespaces.lastIndex(of: $0) }.map { $0 + 1 } ?? 0)
  }

  private mutating func append(_ mount: Mount, _ namespaces: [IDMapping]) {
    append(String(mount.at.dropFirst()))
    var flags: UInt32 = 0
    if mount.readOnly { flags |= 1 }
    if mount.nodev { flags |= 2 }
    if mount.noexec { flags |= 4 }
    if mount.nosymfollow { flags |= 8 }
    if mount.superblockReadOnly { flags |= 16 }
    append(flags)
    append(mount.idmap.flatMap { namespaces.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
    append(mount.filesystemNamespace, namespaces)
  }

  private mutating func append(_ list: DeviceCgroup?) {
    guard let list else { return append(0) }
    append(list.defaultBehavior == .allow ? 1 : 2)
    append(list.exceptions.count)
    for exception in list.exceptions {
      let major = exception.major.map(String.init) ?? "*"
      let minor = exception.minor.map(String.init) ?? "*"
      let access =
        (exception.read ? "r" : "") + (exception.write ? "w" : "") + (exception.makeNode ? "m" : "")
      append("\(exception.isBlock ? "b" : "c") \(major):\(minor) \(access)")
    }
  }

  private mutating func append(_ node: Node, on mounts: [Mount]) {
    let mount = CaseBatch.mountIndex(of: node.path, among: mounts)
    if mount > 0 && node.path == mounts[mount].at { appendCovered(by: node, mounts) }
    append(node, mount: mount, path: Self.relative(node.path, to: mounts[mount]))
  }

  /// Appends the directory that a mount covers, which must exist as well.
  private mutating func appendCovered(by node: Node, _ mounts: [Mount]) {
    let directory = node.path.lastIndex(of: "/").map { String(node.path[..<$0]) } ?? ""
    let below = CaseBatch.mountIndex(of: directory.isEmpty ? "/" : directory, among: mounts)
    var covered = Node(path: node.path, type: .directory, mode: 0o755, uid: 0, gid: 0)
    if let namespace = mounts[below].filesystemNamespace {
      covered.uid = namespace.users.ranges.first?.outside ?? 0
      covered.gid = namespace.groups.ranges.first?.outside ?? 0
    }
    append(covered, mount: below, path: Self.relative(node.path, to: mounts[below]))
  }

  private static func relative(_ path: String, to mount: Mount) -> String {
    String(path.dropFirst(mount.at == "/" ? 1 : mount.at.count + 1))
  }

  private mutating func append(_ node: Node, mount: Int, path: String) {
    append(mount)
    append(path)
    append(node.type.formatBits)
    append(UInt32(node.mode))
    append(node.uid)
    append(node.gid)
    append(node.rdev?.major ?? 0)
    append(node.rdev?.minor ?? 0)
    append(node.target ?? "")
    append(node.acl.map { $0.count + 1 } ?? 0)
    for entry in node.acl ?? [] {
      append(entry.kernelTag)
      append(UInt32(entry.permissions.rawValue))
      append(entry.id ?? UInt32.max)
    }
    append((node.flags.contains(.immutable) ? 1 : 0) | (node.flags.contains(.append) ? 2 : 0))
  }

  private mutating func append(_ trial: CaseBatch.Trial, _ namespaces: [IDMapping]) {
    let subject = trial.subject
    for id in [subject.ruid, subject.euid, subject.suid, subject.fsuid] { append(id) }
    for id in [subject.rgid, subject.egid, subject.sgid, subject.fsgid] { append(id) }
    append(subject.groups.count)
    for group in subject.groups { append(group) }
    append(trial.login ?? "")
    append(subject.permitted.bits)
    append(subject.effective.bits)
    append(subject.securebits)
    append(subject.userNamespace, namespaces)
    append(trial.requests.count)
    for request in trial.requests { append(request) }
  }

  private mutating func append(_ request: Request) {
    switch request {
    case .open(let path, let flags):
      append(0)
      append(UInt32(bitPattern: flags.reduce(O_CLOEXEC) { $0 | $1.number }))
      append(0)
      append(path)
    case .access(let path, let mode, let effective, let noFollow):
      append(1)
      append((effective ? 0x200 : 0) | (noFollow ? 0x100 : 0))
      append(UInt32(mode.rawValue))
      append(path)
    }
  }
}
