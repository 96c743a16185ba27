internal import AccessModel
internal import LinuxDevices

/// Observes the machine before a grant.
extension GrantWork {
  /// Returns the path that a request is about.
  func path(of request: GrantRequest) throws(GrantError) -> String {
    try request.path(album: try album(), following: TrustedLinks(), observe)
  }

  /// Returns the caller's own album, if it exists.
  ///
  /// - Throws: `failed` if descriptors or memory are missing.
  func album() throws(GrantError) -> GrantPlan.Album? {
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.kind(.album)))
    } catch {
      if error.code == .exhausted { throw GrantError(observing: error) }
      return nil
    }
    guard let path = facts.album?.path, let node = facts.access.object(at: path),
      node.type == .directory
    else { return nil }
    return GrantPlan.Album(path: node.path, owner: GrantCaller.user)
  }

  /// Returns the facts that answer the request's question about a path.
  func facts(_ request: GrantRequest, at path: String) throws(GrantError) -> AccessFacts {
    try observe(
      Question(
        .path(path), wanted: try wanted(request, at: path), subject: .user(request.user)))
  }

  func observe(_ question: Question) throws(GrantError) -> AccessFacts {
    var question = question
    question.names = .few
    do throws(DeviceError) {
      return try machine.facts(for: question)
    } catch {
      throw GrantError(observing: error)
    }
  }

  private func wanted(
    _ request: GrantRequest, at path: String
  ) throws(GrantError) -> Permissions {
    try request.wanted(on: try PinnedNode(path: path).type) { () throws(GrantError) in
      let facts = try observe(Question(.path(path), subject: .user(request.user)))
      return facts.devices.first { $0.node == path }.flatMap(GrantPlan.kind(of:))
    }
  }

  /// Returns the rule that matches only the planned device; `nil` if there is no device or no rule.
  func rule(for plan: GrantPlan) -> DeviceRule? {
    guard let kind = plan.kind, let facts = try? machine.facts(for: Question(.kind(kind))) else {
      return nil
    }
    return plan.rule(among: facts.devices)
  }

  /// Plans a grant on a pinned object, from facts that were observed after it was pinned.
  func plan(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String,
    over state: InodeGrants?
  ) throws(GrantError) -> GrantPlan {
    let facts = try self.facts(request, at: path)
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    let base = state?.list(withoutUser: facts.access.subject.fsuid)
    let plan = try GrantPlan(facts, album: node.type.isDevice ? nil : try album(), over: base)
    guard plan.node.type == node.type, plan.node.rdev == node.inode.device else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    guard !node.type.isDevice || node.isInMemory else {
      throw GrantError(
        .wrongObject, at: path, "it is on a disk filesystem, so it is not a device node of udev")
    }
    return plan
  }

  /// Returns the folder that records grants on an object.
  func folder(
    for node: borrowing PinnedNode, at path: String, _ lifetime: GrantRequest.Lifetime
  ) throws(GrantError) -> GrantFolder {
    if node.type.isDevice { return places.devices }
    if node.isInMemory, lifetime != .permanent { return places.volatile }
    guard let lasting = places.lasting else {
      throw GrantError(.failed, at: path, "the grant cannot be recorded without a home directory")
    }
    return lasting
  }

  // MARK: - Commands

  /// Returns shell commands with the same effect as a permanent grant on a device.
  ///
  /// - Parameters:
  ///   - report: The report of the grant.
  ///   - device: The path of the device in sysfs.
  /// - Returns: The commands.
  func ruleCommands(of report: GrantReport, _ device: String) -> [String] {
    let file = places.lastingRules.file("0123456789abcdef")
    return [
      "printf '%s\\n' \((report.rule ?? "").shellQuoted) > \(file)", "udevadm control --reload",
      "udevadm trigger --action=change \(device.shellQuoted)", "udevadm settle",
    ]
  }
}
