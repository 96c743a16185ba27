extension AccessCase {
  /// Returns the case with every directory searchable and every object accessible to all users.
  ///
  /// If the request is still refused, no change to permission bits or access control lists can
  /// grant it. Directories and regular files get mode 0777, and all other objects 0666. Access
  /// control lists are removed, so it does not matter whether they were observed. The sticky bit is
  /// kept only if the mode is already sticky and writable by all users, where
  /// `fs.protected_symlinks` applies. A directory that becomes writable by all therefore causes no
  /// new refusals.
  public func withPermissiveDAC() -> AccessCase {
    var result = self
    for index in nodes.indices {
      result.nodes[index].acl = nil
      result.nodes[index].unobserved.remove(.acl)
      result.nodes[index].mode = nodes[index].type.permissiveMode(insteadOf: nodes[index].mode)
    }
    return result
  }

  /// Returns the case with permitted capabilities added to the effective set.
  ///
  /// A thread can do this itself at any time and without privileges (capset(2)).
  public func withEffectiveCapabilities(
    raisedFromPermitted capabilities: CapabilitySet = .all
  ) -> AccessCase {
    var result = self
    result.subject.effective.formUnion(subject.permitted.intersection(capabilities))
    return result
  }

  /// Returns the case with other supplementary groups, such as the groups of a new login.
  ///
  /// - Parameter groups: The groups that the databases list for the user.
  /// - Returns: The case for that login.
  public func withGroups(_ groups: [UInt32]) -> AccessCase {
    var result = self
    result.subject.groups = groups
    result.subject.unobserved.remove(.groups)
    return result
  }

  /// Returns the case with other filesystem IDs.
  ///
  /// A thread can switch to its real, effective and saved IDs without privileges, with setfsuid(2)
  /// and set*id(2).
  public func withFilesystemIDs(user: UInt32, group: UInt32) -> AccessCase {
    var result = self
    result.subject.fsuid = user
    result.subject.fsgid = group
    return result
  }

  /// Returns the case with another request.
  public func with(_ request: Request) -> AccessCase {
    var result = self
    result.request = request
    return result
  }
}

extension PreparedCase {
  /// Decides the case from ``AccessCase/withPermissiveDAC()`` for a subject.
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

extension AccessCase {
  /// Returns the object that a path and its symbolic links lead to, regardless of permissions.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: The object; `nil` if it does not exist, or if no user can follow the path to it.
  public func object(at path: String) -> Node? {
    var access = self
    // Permissions do not stop root in the initial namespace. The restriction on links applies to
    // root too, but does not affect where a link leads.
    access.subject = Subject(uid: 0, gid: 0)
    access.subject.effective = .all
    access.protectedSymlinks = false
    access.unobserved.remove(.protectedSymlinks)
    access.request = .access(path: path, mode: [], effective: true, noFollow: false)
    let last = PreparedCase(access).lastCheck(for: access.request)
    return last?.object.map { nodes[Int($0)] }
  }
}
