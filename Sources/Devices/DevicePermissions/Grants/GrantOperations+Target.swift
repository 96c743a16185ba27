internal import AccessModel
internal import DeviceWatching
internal import LinuxDevices

/// A request whose object has been found.
///
/// The path, the access and the album are determined once, so that all plans and the confirmation
/// of a grant are about the same.
struct GrantTarget {
  let request: GrantRequest
  /// The absolute path of the object.
  let path: String
  /// The access to give.
  let wanted: Permissions
  /// The caller's own album; `nil` for a device, or without an album.
  let album: GrantPlan.Album?

  /// The question whether the user has the access.
  var question: Question {
    Question(.path(path), wanted: wanted, subject: .user(request.user))
  }
}

/// Observes the machine before a grant.
extension GrantOperations {
  /// The path of a requested object, and what was observed to find it.
  struct FoundObject {
    let path: String
    /// The facts about the devices of the requested kind; `nil` if the request is about something
    /// else.
    var facts: AccessFacts?
    /// The album; `nil` if the request is about something else.
    var album: GrantPlan.Album?
  }

  /// Finds the object that a request is about.
  func find(_ request: GrantRequest) throws(GrantError) -> FoundObject {
    let isOfAlbum = request.target == .kind(.album)
    let album = isOfAlbum ? try self.album() : nil
    var facts: AccessFacts?
    let path = try request.path(album: album, following: TrustedLinks()) {
      (question) throws(GrantError) in
      let found = try observe(question)
      facts = found
      return found
    }
    return FoundObject(path: path, facts: facts, album: album)
  }

  /// Determines the access to give on a pinned object, and the album that it may be a part of.
  func target(
    of request: GrantRequest, _ found: FoundObject, on node: borrowing PinnedNode
  ) throws(GrantError) -> GrantTarget {
    let path = found.path
    let wanted = try request.wanted(on: node.type) { () throws(GrantError) in
      let facts: AccessFacts
      if let known = found.facts {
        facts = known
      } else {
        facts = try observe(Question(.path(path), subject: .user(request.user)))
      }
      return facts.devices.first { $0.node == path }.flatMap(GrantPlan.kind(of:))
    }
    var album = found.album
    if album == nil, !node.type.isDevice { album = try self.album() }
    return GrantTarget(request: request, path: path, wanted: wanted, album: album)
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

  func observe(_ question: Question) throws(GrantError) -> AccessFacts {
    var question = question
    question.names = .few
    do throws(DeviceError) {
      return try machine.facts(for: question)
    } catch {
      throw GrantError(observing: error)
    }
  }

  /// Plans an entry on a pinned object, from facts that were observed after it was pinned.
  func planEntry(
    for target: GrantTarget, on node: borrowing PinnedNode, over state: InodeGrants?
  ) throws(GrantError) -> GrantPlan {
    let path = target.path
    let facts = try observe(target.question)
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    let base = state?.list(withoutUser: facts.access.subject.fsuid)
    let plan = try GrantPlan(facts, album: target.album, over: base)
    guard plan.node.type == node.type, plan.node.rdev == node.inode.device,
      target.request.matches(plan.device)
    else { throw GrantError(.changed, at: path, "it was replaced during the check") }
    guard !node.type.isDevice || node.isInMemory else {
      throw GrantError(
        .wrongObject, at: path, "it is on a disk filesystem, so it is not a device node of udev")
    }
    return plan
  }

  /// Returns the rule that matches only the planned device; `nil` if there is no device or no rule.
  func rule(for plan: GrantPlan) -> DeviceRule? {
    guard let kind = plan.kind, let facts = try? machine.facts(for: Question(.kind(kind))) else {
      return nil
    }
    return plan.rule(among: facts.devices)
  }
}

extension GrantRequest {
  /// Returns whether a device is still one of the requested kind, if the request names a kind of
  /// device.
  fileprivate func matches(_ device: DeviceFacts?) -> Bool {
    guard case .kind(let kind) = target, kind.subsystem != nil else { return true }
    return device.map { !kind.members(in: [$0]).isEmpty } ?? false
  }
}

extension GrantPlan {
  /// Returns the rule that matches only the planned device.
  ///
  /// Two devices without serial numbers, such as those from a virtual driver, may be plugged into
  /// the same place. A user who gets access to one must not get access to the other.
  ///
  /// - Parameter devices: The devices that exist.
  /// - Returns: The rule; `nil` if the plan is not for a device, if nothing identifies the device,
  ///   or if another existing device matches too.
  package func rule(among devices: [DeviceFacts]) -> DeviceRule? {
    guard let device, let rule = DeviceRule(only: device) else { return nil }
    let isAlone = devices.allSatisfy { other in
      other.node == device.node || DeviceRule(only: other)?.conditions != rule.conditions
    }
    return isAlone ? rule : nil
  }

  /// Checks that a udev rule can make the planned grant permanent.
  ///
  /// - Parameter rule: The rule that matches only the device; `nil` if it has none.
  /// - Throws: `wrongObject` if no rule can.
  /// - Returns: The rule.
  package func lasting(_ rule: DeviceRule?) throws(GrantError) -> DeviceRule {
    guard let rule else {
      throw GrantError(
        .wrongObject, at: node.path, "nothing identifies it among other devices")
    }
    // setfacl -m makes the mask as wide as the widest entry, so the mask must not limit any entry.
    let isCut = after.entries.contains { entry in
      entry.tag != .mask && entry.id != user && !before.entries.contains(entry)
    }
    guard !isCut, before.mask != [] else {
      throw GrantError(
        .wrongObject, at: node.path, "a rule cannot preserve the limits of its mask")
    }
    return rule
  }
}
