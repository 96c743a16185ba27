extension PreparedCase {
  /// Returns the canonical path at which a verdict was reached.
  func location(of verdict: Verdict, _ request: Request) -> String? {
    guard let node = verdict.node else { return nil }
    let index = Int32(truncatingIfNeeded: node)
    guard let name = verdict.name else { return path(of: index) }
    return path(of: name, in: index, request)
  }

  /// Returns the path of a name in a directory.
  func path(of name: NameReference, in directory: Int32, _ request: Request) -> String {
    let text: Substring.UTF8View
    if name.source < 0 {
      text = request.path.utf8.dropFirst(Int(name.start)).prefix(Int(name.count))
    } else {
      let target = access.nodes[Int(name.source)].target ?? ""
      text = target.utf8.dropFirst(Int(name.start)).prefix(Int(name.count))
    }
    let parent = path(of: directory)
    return (parent == "/" ? "/" : parent + "/") + String(Substring(text))
  }

  /// Returns a missing fact as one clause that names the object.
  func reason(_ doubt: MissingFact, at index: Int32) -> String {
    guard index >= 0 else { return doubt.reason }
    let place = path(of: index)
    if doubt == .filesystem {
      let mount = Int(nodes[Int(index)].mount)
      guard mount < access.mounts.count, !access.mounts[mount].isUnknown else {
        return "the mount was not observed that \(place) is on"
      }
      return "\(doubt.reason): \(place) is on \(access.mounts[mount].fstype)"
    }
    return "\(doubt.reason): \(place)"
  }

  /// Returns every rule that would by itself grant the permissions that were requested on the
  /// object.
  func grounds(_ index: Int32, _ progress: Progress) -> [Rule] {
    guard index >= 0 else { return [] }
    if progress.finding.rule == .openPathNoCheck { return [.openPathNoCheck] }
    let node = nodes[Int(index)]
    var rules: [Rule] = []
    let result = discretionaryAccess(node, progress.wanted, progress.credentials)
    if !result.canDeny, let rule = result.finding.rule { rules.append(rule) }
    for rule in [Rule.readAndSearch, .overrideFileAccess]
    where isSufficient(rule, node, progress.wanted, progress.credentials) == .yes {
      rules.append(rule)
    }
    return rules
  }
}

extension ACLEntry {
  /// The entry in the format of getfacl(1) with numeric IDs, such as `user:1000:rw-`.
  public var text: String {
    "\(tag.word):\(id.map { String($0) } ?? ""):\(permissions)"
  }
}
