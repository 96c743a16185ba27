/// Alternative requests that the program could make.
extension RemedyPlanner {
  /// Returns fixes that change only the request and nothing on the machine.
  func requestCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    let request = facts.access.request
    guard case .open(let path, var flags) = request else {
      return linkCandidates(rule, step, facts)
    }
    let title: String
    switch rule {
    case .inodeAppendOnly:
      flags.insert(.append)
      flags.remove(.truncate)
      title = "Open the file for appending (O_APPEND, without O_TRUNC)"
    case .openNoAccessTime:
      flags.remove(.noAccessTime)
      title = "Open it without O_NOATIME"
    case .openExists:
      flags.remove(.exclusive)
      title = "Open the existing file, without O_EXCL"
    case .createSticky:
      flags.subtract([.create, .exclusive])
      title = "Open it without O_CREAT"
    default: return linkCandidates(rule, step, facts)
    }
    return [
      Step(
        title: title,
        step: Remedy.Step(.program, changes: [.ask(.open(path: path, flags: flags))]))
    ]
  }

  /// Returns a fix that opens the target of a link instead of the link.
  private func linkCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard [.symlinkProtected, .symlinkNoSymfollow, .symlinkNoFollow].contains(rule) else {
      return []
    }
    let path = facts.access.request.path
    // A path with a trailing slash requires a directory, and the path of the object has no such
    // slash.
    guard path.utf8.last != UInt8(ascii: "/"), let object = facts.access.object(at: path),
      !object.path.isSame(as: path), object.type != .symbolicLink
    else { return [] }
    return [
      Step(
        title: "Open \(object.path), the target of the link",
        step: Remedy.Step(.program, changes: [.ask(facts.access.request.at(object.path))]))
    ]
  }
}
