extension AccessFacts {
  /// Returns the differences from earlier facts, the most significant first.
  ///
  /// Only facts that can affect an answer are compared. Names and evidence are not.
  ///
  /// - Parameters:
  ///   - before: The earlier facts.
  ///   - paths: The paths at which something appeared since. At and below these paths, the objects
  ///     are different ones, with their own modes and owners.
  /// - Returns: The differences.
  public func differences(
    from before: AccessFacts, replacing paths: Set<String> = []
  ) -> [FactsDifference] {
    let mounts = mountDifferences(from: before)
    let points = ChangedPlaces(mounts: mounts)
    let arrivals = arrivals(from: before)
    var differences = arrivals.filter { !points.reach($0.object) } + seatDifferences(from: before)
    let reported = Set(arrivals.compactMap(\.object))
    let nodes = nodeDifferences(from: before, besides: points, at: ChangedPlaces(paths))
    differences += mounts
    // A mount above a node covers or uncovers it. Only a search through sysfs, which finds the
    // device in both cases, shows whether the device itself was added or removed.
    if looksThroughSysfs { differences += arrivals.filter { points.reach($0.object) } }
    differences += nodes.filter { !reported.contains($0.object ?? "") }
    differences += deviceDifferences(from: before)
    // If something on the path changed, such as the home directory, that already explains the new
    // location.
    if differences.isEmpty, isElsewhere(before) {
      let path = access.request.path
      differences.append(FactsDifference(.album, path, "the album is \(path) now"))
    }
    func add(_ isDifferent: Bool, _ code: FactsDifference.Code, _ text: String) {
      if isDifferent { differences.append(FactsDifference(code, nil, text)) }
    }
    add(
      access.subject != before.access.subject, .subject,
      "the credentials of the subject have changed")
    add(
      account.loginGroups != before.account.loginGroups, .account,
      "the account database lists other groups for the user")
    add(confinement != before.confinement, .confinement, "what confines the subject has changed")
    if differences.isEmpty {
      add(kernelChecks != before.kernelChecks, .kernel, "the kernel answers differently")
    }
    guard kind == nil else { return differences }
    // Changes to other devices are the least likely to affect an answer about one device.
    let places = objectPaths.union(before.objectPaths)
    return differences.filter { !$0.isOfDevice(besides: places) }
      + differences.filter { $0.isOfDevice(besides: places) }
  }

  /// The requested path, and the path of the object that it leads to.
  private var objectPaths: Set<String> {
    let path = access.request.path
    return Set([path, access.object(at: path)?.path].compactMap(\.self))
  }

  private var devicesByPath: [String: DeviceFacts] {
    Dictionary(devices.map { ($0.sysfsPath, $0) }) { first, _ in first }
  }

  /// The symbolic links on the path, and their targets.
  private var links: [String: String?] {
    let links = access.nodes.prefix { !isForLocks($0.path) }.filter { $0.type == .symbolicLink }
    return Dictionary(links.map { ($0.path, $0.target) }) { first, _ in first }
  }

  private func arrivals(from before: AccessFacts) -> [FactsDifference] {
    // If a link on the path changed, the path leads to another device, which already existed.
    guard kind != nil || links == before.links else { return [] }
    let (old, new) = (before.devicesByPath, devicesByPath)
    func only(in facts: Self, besides others: [String: DeviceFacts], seenBy scan: Self)
      -> [DeviceFacts]
    {
      let devices = facts.devices.filter { others[$0.sysfsPath] == nil }
      // If the object was not looked up, its device is not known either.
      guard !devices.isEmpty, scan.looksUpItsObject else { return [] }
      return devices.filter { !facts.reachesByOtherNode($0) }
    }
    let gone = only(in: before, besides: new, seenBy: self).map { device in
      FactsDifference(.deviceRemoved, device.label, "\(device.label) was removed")
    }
    let come = only(in: self, besides: old, seenBy: before).map { device in
      FactsDifference(.deviceAdded, device.label, "\(device.label) was added")
    }
    // If several devices were added or removed at once, the one in question explains the answer.
    let paths = [before.access.request.path, access.request.path]
    let isInQuestion = { (difference: FactsDifference) in
      difference.object.map(paths.contains) ?? false
    }
    let all = gone + come
    return all.filter(isInQuestion) + all.filter { !isInQuestion($0) }
  }

  /// Returns whether the path leads to a device through a node that was created elsewhere.
  ///
  /// Such a node can be removed while the device remains.
  private func reachesByOtherNode(_ device: DeviceFacts) -> Bool {
    let path = access.request.path
    guard kind == nil, let object = access.object(at: path), let number = object.rdev,
      number == device.number
    else { return false }
    return device.node != object.path && device.node != path
  }

  private func deviceDifferences(from before: AccessFacts) -> [FactsDifference] {
    let old = before.devicesByPath
    return devices.compactMap { device in
      guard let before = old[device.sysfsPath], before != device else { return nil }
      return FactsDifference(.deviceChanged, device.label, device.changeText(since: before))
    }
  }

  private func seatDifferences(from before: AccessFacts) -> [FactsDifference] {
    guard let session, let old = before.session, session != old else { return [] }
    let seats = Set(session.activeUsers.keys).union(old.activeUsers.keys).sorted()
    var differences = seats.compactMap { seat -> FactsDifference? in
      let user = session.activeUsers[seat]
      guard user != old.activeUsers[seat] else { return nil }
      let text =
        user.map { "\(seat) went to a session of user \($0)" } ?? "\(seat) has no active session"
      return FactsDifference(.seat, seat, text)
    }
    if let text = session.changeText(since: old) {
      differences.insert(FactsDifference(.session, session.id ?? old.id, text), at: 0)
    }
    return differences
  }

  private func mountDifferences(from before: AccessFacts) -> [FactsDifference] {
    guard access.mounts != before.access.mounts else { return [] }
    func byPoint(_ facts: AccessFacts) -> [String: Mount] {
      Dictionary(facts.access.mounts.map { ($0.at, $0) }) { _, last in last }
    }
    // If the mount table cannot be read, no changes to it are known.
    let isUnknown = access.mounts.contains(where: \.isUnknown)
    guard isUnknown == before.access.mounts.contains(where: \.isUnknown) else {
      let state = isUnknown ? "cannot be inspected" : "can be inspected again"
      return [FactsDifference(.visibility, nil, "the table of mounts \(state)")]
    }
    let (old, new) = (byPoint(before), byPoint(self))
    // If the path leads elsewhere, it crosses other mounts, which already existed.
    let places = Set(before.access.nodes.map(\.path)).intersection(access.nodes.map(\.path))
    return Set(old.keys).union(new.keys).sorted().compactMap { point in
      let text: String
      switch (old[point], new[point]) {
      case (nil, let mount?) where places.contains(point):
        text = "\(mount.fstype) was mounted at \(point)"
      case (_?, nil) where places.contains(point): text = "\(point) is not mounted any more"
      case (let old?, let new?) where old != new: text = "the mount at \(point) has changed"
      default: return nil
      }
      return FactsDifference(.mount, point, text)
    }
  }
}

extension FactsDifference {
  /// Returns whether the difference concerns a device at none of the given paths.
  fileprivate func isOfDevice(besides paths: Set<String>) -> Bool {
    [.deviceAdded, .deviceRemoved, .deviceChanged].contains(code) && !paths.contains(object ?? "")
  }
}

extension DeviceFacts {
  /// The name of the device in the text of a difference.
  fileprivate var label: String { node ?? sysfsPath }

  /// Returns the change to a device that is still present, as a clause.
  fileprivate func changeText(since before: DeviceFacts) -> String {
    switch (before.isFed, isFed) {
    case (false, true): "a program feeds \(label) now"
    case (true, false): "no program feeds \(label) any more"
    default: "what udev knows of \(label) has changed"
    }
  }
}

/// A difference between two observations of a machine.
public struct FactsDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// A device was added.
    case deviceAdded = "device_added"
    /// A device was removed.
    case deviceRemoved = "device_removed"
    /// The facts about a device changed, for example because udev finished processing it.
    case deviceChanged = "device_changed"
    /// A file or directory on the path was added.
    case nodeAdded = "node_added"
    /// A file or directory on the path was removed.
    case nodeRemoved = "node_removed"
    /// The object at a path was replaced by another one, or a link has another target.
    case nodeReplaced = "node_replaced"
    /// An object or the mount table can no longer be inspected, or can be inspected again.
    ///
    /// The reasons include a failing disk and a lack of memory.
    case visibility
    /// The permission bits changed.
    case mode
    /// The owner or the group changed.
    case owner
    /// The access control list changed.
    case accessList = "acl"
    /// The immutable or append-only flag changed.
    case flags
    /// The location of the album changed.
    case album
    /// A mount was added or removed, or its properties changed.
    case mount
    /// The active session of a seat changed.
    case seat
    /// The session of the subject changed.
    case session
    /// The credentials of the subject changed, such as its groups, capabilities or control group.
    case subject
    /// The groups that the account database lists for the subject's user changed.
    case account
    /// The confinement of the subject changed.
    case confinement
    /// The kernel's own answer changed for a reason outside the model.
    case kernel
  }

  /// The kind of difference.
  public var code: Code
  /// The path, device, mount point, seat or session that the difference concerns; untrusted text.
  public var object: String?
  /// The difference as a sentence without a period; untrusted text.
  public var text: String

  init(_ code: Code, _ object: String?, _ text: String) {
    self.code = code
    self.object = object
    self.text = text
  }
}

/// Paths at or below which different objects may be visible than in an earlier observation.
struct ChangedPlaces {
  let points: Set<String>

  init(_ points: Set<String>) { self.points = points }

  /// Creates the set of mount points at which mounts were added, removed or changed.
  ///
  /// - Parameter differences: The differences of the mounts.
  init(mounts differences: [FactsDifference]) {
    points = Set(differences.compactMap(\.object))
  }

  /// Returns whether a path is equal to or below one of the paths.
  func reach(_ path: String?) -> Bool {
    guard let path else { return false }
    return points.contains { path == $0 || path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }
}
