internal import AccessModel

extension AccessCase {
  mutating func mapNodes(_ change: (inout Node) -> Void) {
    for index in nodes.indices { change(&nodes[index]) }
  }

  mutating func mapMounts(_ change: (inout Mount) -> Void) {
    for index in mounts.indices { change(&mounts[index]) }
  }

  mutating func mapLists(_ change: ([ACLEntry]) -> [ACLEntry]) {
    mapNodes { node in
      if let list = node.acl { node.acl = change(list) }
    }
  }

  /// Replaces the entries for the subject's groups in each list.
  mutating func mapMatchingGroups(_ change: ([ACLEntry]) -> [ACLEntry]) {
    let own = Set(subject.groups + [subject.fsgid])
    mapNodes { node in
      guard let list = node.acl else { return }
      let owner = node.gid
      let isMatch = { (entry: ACLEntry) in
        entry.tag == .group && own.contains(entry.id ?? owner)
      }
      node.acl =
        list.filter { $0.tag == .user } + change(list.filter(isMatch))
        + list.filter { $0.tag != .user && !isMatch($0) }
    }
  }

  /// Replaces a flag of open(2) if the request contains it.
  mutating func replace(_ flag: OpenFlag, _ other: OpenFlag) {
    guard case .open(let path, var flags) = request, flags.remove(flag) != nil else { return }
    flags.insert(other)
    request = .open(path: path, flags: flags)
  }

  /// Removes a flag of open(2) if the request contains it.
  mutating func remove(_ flag: OpenFlag) {
    guard case .open(let path, var flags) = request, flags.remove(flag) != nil else { return }
    request = .open(path: path, flags: flags)
  }
}

extension Request {
  /// Returns the same request for another path.
  func replacing(path: String) -> Request {
    switch self {
    case .open(_, let flags): .open(path: path, flags: flags)
    case .access(_, let mode, let effective, let noFollow):
      .access(path: path, mode: mode, effective: effective, noFollow: noFollow)
    }
  }

  /// The permissions that the request needs on the object itself.
  var wantedPermissions: Permissions {
    switch self {
    case .access(_, let mode, _, _): return mode
    case .open(_, let flags):
      var wanted: Permissions = []
      if !flags.isDisjoint(with: [.readOnly, .readWrite, .accessMode3]) { wanted.insert(.read) }
      if !flags.isDisjoint(with: [.writeOnly, .readWrite, .accessMode3, .truncate]) {
        wanted.insert(.write)
      }
      return wanted
    }
  }
}

extension IDMap {
  /// A map from every ID to itself.
  static let identity = IDMap([Range(inside: 0, outside: 0, length: .max)])
}
