extension AccessCase {
  /// The case with every directory searchable and every object open to all, without lists.
  ///
  /// What is refused even then, no change of modes or lists can grant. Directories and regular
  /// files get 0777, everything else 0666. A sticky bit stays only where `fs.protected_symlinks`
  /// heeds it already, so that opening a directory to all refuses nothing new. Lists that were
  /// not observed no longer matter.
  public func withPermissiveDAC() -> AccessCase {
    var result = self
    for index in nodes.indices {
      result.nodes[index].acl = nil
      result.nodes[index].unobserved.remove(.acl)
      result.nodes[index].mode = nodes[index].type.permissiveMode(insteadOf: nodes[index].mode)
    }
    return result
  }

  /// The case with capabilities effective that the subject is permitted and has not raised.
  ///
  /// A thread can do this to itself at any time (capset(2)), without asking anybody.
  public func withEffectiveCapabilities(
    raisedFromPermitted capabilities: CapabilitySet = .all
  ) -> AccessCase {
    var result = self
    result.subject.effective.formUnion(subject.permitted.intersection(capabilities))
    return result
  }

  /// The case with other supplementary groups: what a new login would have.
  ///
  /// - Parameter groups: the groups that the databases name for the user.
  /// - Returns: the case as it would be decided for that login.
  public func withGroups(_ groups: [UInt32]) -> AccessCase {
    var result = self
    result.subject.groups = groups
    result.subject.unobserved.remove(.groups)
    return result
  }

  /// The case with other filesystem ids: setfsuid(2) and set*id(2) reach the real, effective and
  /// saved ones without any privilege.
  public func withFilesystemIDs(user: UInt32, group: UInt32) -> AccessCase {
    var result = self
    result.subject.fsuid = user
    result.subject.fsgid = group
    return result
  }

  /// The case with another request.
  public func with(_ request: Request) -> AccessCase {
    var result = self
    result.request = request
    return result
  }
}

extension PreparedCase {
  /// How ``AccessCase/withPermissiveDAC()`` would be decided for a subject.
  func verdictWithPermissiveDAC(for subject: Subject) -> Verdict {
    var other = asked(by: subject)
    for index in nodes.indices {
      other.nodes[index].mode = nodes[index].type.permissiveMode(insteadOf: nodes[index].mode)
      other.nodes[index].marks.subtract([.hasACL, .aclUnobserved])
    }
    return other.verdict()
  }
}

extension FileType {
  fileprivate func permissiveMode(insteadOf mode: UInt16) -> UInt16 {
    let isOpenToAll = self == .directory || self == .regular
    let isProtecting = mode & 0o1002 == 0o1002
    return mode & 0o6000 | (isProtecting ? 0o1000 : 0) | (isOpenToAll ? 0o777 : 0o666)
  }
}
