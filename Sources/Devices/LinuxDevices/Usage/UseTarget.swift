package import AccessModel
internal import CLinux
internal import Glibc

/// A device whose holders are to be found.
package struct UseTarget: Sendable {
  /// The canonical path of the node.
  package var node: String
  /// The kind in the question, if it was about a kind.
  var kind: String?
  /// The paths in the question that lead to the node.
  var askedAs: [String] = []
  /// The facts about the device, if it is known.
  package var device: DeviceFacts?
  var number: NodeNumber
  /// The identity of the node, as in a table of mappings.
  var identity: FileIdentity

  /// The subsystems that reuse a number while the previous device with that number is still open.
  private static let reusing: Set<String> = ["input", "sound"]

  /// Returns whether an open file with the device's number belongs to a device that was removed
  /// earlier.
  ///
  /// The node of a removed device is deleted. Drivers of most subsystems keep its number until the
  /// last file is closed. In such a subsystem, a deleted node with this number belonged to the same
  /// device, and another program has recreated it.
  func isOfEarlierDevice(_ file: OpenFile) -> Bool {
    guard let device, Self.reusing.contains(device.subsystem) else { return false }
    return file.links == 0 && file.identity != identity
      && file.identity.filesystem == identity.filesystem
  }
}

extension [UseTarget] {
  /// Adds targets without duplicates, because a kind and a path may refer to the same device.
  package mutating func add(_ targets: [UseTarget]) {
    let known = Dictionary(indices.map { (PathKey(self[$0].node), $0) }) { first, _ in first }
    for target in targets {
      if let index = known[PathKey(target.node)] {
        self[index].kind = self[index].kind ?? target.kind
        for path in target.askedAs where !self[index].askedAs.contains(where: path.isSame) {
          self[index].askedAs.append(path)
        }
      } else {
        append(target)
      }
    }
  }
}

/// Finds the devices in a question about the users of devices.
package struct UseTargetFinder {
  let roots: MachineRoots

  package init(roots: MachineRoots) { self.roots = roots }

  /// Returns the devices that a target specifies.
  ///
  /// - Parameter target: The target.
  /// - Returns: The devices that have a node.
  /// - Throws: `notADevice` if a path does not lead to a device, `unavailable` or `exhausted` if
  ///   something cannot be inspected.
  package func devices(of target: Question.Target) throws(DeviceError) -> [UseTarget] {
    switch target {
    case .kind(let kind): try devices(of: kind)
    case .path(let path): [try device(at: path)]
    }
  }

  /// Returns the devices of a kind.
  private func devices(of kind: DeviceKind) throws(DeviceError) -> [UseTarget] {
    guard let subsystem = kind.subsystem else { return [] }
    let all = try NumberObserver(roots: roots).believed(
      DeviceEnumerator(roots: roots).devices(inSubsystem: subsystem), of: kind)
    let placed = all.placed(of: kind, end: node, others: nodes)
    var targets: [UseTarget] = []
    for device in kind.usedDevices(in: placed) {
      if let target = try target(device, of: kind.name) { targets.append(target) }
    }
    return targets
  }

  /// Returns the node at a path with the facts that identify its device, or `nil` if there is no
  /// device node.
  private func node(at path: String) -> Node? {
    guard let file = try? OpenFile(following: path, in: AT_FDCWD), let device = file.device else {
      return nil
    }
    var node = Node(
      path: path, type: device.isBlock ? .blockDevice : .characterDevice,
      mode: UInt16(truncatingIfNeeded: file.permissions), uid: file.owner, gid: 0)
    node.rdev = device.number
    return node
  }

  /// Returns the paths in `/dev` of the character devices with one of the given numbers.
  private func nodes(numbered numbers: Set<DeviceNumber>) -> [String] {
    let names = try? NumberObserver(roots: roots).nodes(in: "/dev", numbered: numbers)
    return (names ?? []).map { "/dev/\($0)" }
  }

  private func target(
    _ device: DeviceFacts, of kind: String?
  ) throws(DeviceError) -> UseTarget? {
    guard let node = device.node else { return nil }
    do throws(Errno) {
      let file = try OpenFile(following: node, in: AT_FDCWD)
      // Another device may have taken over the node; its users are not users of this device.
      guard let number = file.device, device.number == nil || number.number == device.number
      else { return nil }
      return UseTarget(
        node: node, kind: kind, device: device, number: number, identity: file.identity)
    } catch {
      // Without a node, no process can open the device in this /dev, but open files still have its
      // number.
      guard !error.isOfResources, let number = device.number else {
        throw DeviceError(unableTo: "inspect", node, error)
      }
      return UseTarget(
        node: node, kind: kind, device: device,
        number: NodeNumber(isBlock: device.subsystem == "block", number: number),
        identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 0), inode: 0))
    }
  }

  /// Returns the devices whose use affects the result for the targets.
  ///
  /// These are the other devices of drivers that count the open files of all their devices.
  package func siblings(of targets: [UseTarget]) -> [UseTarget] {
    let drivers = DriverObserver.countingDrivers(of: targets)
    guard !drivers.isEmpty else { return [] }
    let own = Set(targets.compactMap(\.device).map(\.sysfsPath))
    let enumerator = DeviceEnumerator(roots: roots)
    // The same driver may also create a media controller node for a camera.
    let all = ["video4linux", "media"].flatMap { subsystem in
      (try? enumerator.devices(inSubsystem: subsystem)) ?? []
    }
    return all.filter { device in
      (device.driver.map(drivers.contains) ?? false) && !own.contains(device.sysfsPath)
    }.compactMap { device in (try? target(device, of: nil)) ?? nil }
  }

  /// Returns whether each filesystem on the way to the target of a path responds.
  private func hasAnswer(at path: String) -> Bool {
    // Most nodes do not require reading the mount table, which can be long.
    if AbsolutePath.parent(of: path) == "/dev", SymbolicLink.target(of: path) == nil { return true }
    var ignored: [Unobserved] = []
    let mounts = MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    guard mounts.hasDistant else { return true }
    var names = AbsolutePath.components(of: path)
    var place = "/"
    var links = 0
    while !names.isEmpty {
      let next = (place == "/" ? "" : place) + "/" + names.removeFirst()
      guard mounts.distantPoint(of: next).map(RemoteFilesystems.shared.answers) ?? true else {
        return false
      }
      guard let target = SymbolicLink.target(of: next) else {
        place = next
        continue
      }
      // The kernel refuses a path with too many links (MAXSYMLINKS).
      links += 1
      guard links <= 40 else { return true }
      names = AbsolutePath.components(of: SymbolicLink.resolve(target, from: next)) + names
      place = "/"
    }
    return true
  }

  private func device(at path: String) throws(DeviceError) -> UseTarget {
    let operation = "find the users of"
    let path = try AbsolutePath.resolve(path)
    let file: OpenFile
    do throws(Errno) {
      guard hasAnswer(at: path) else { throw .timedOut }
      file = try OpenFile(following: path, in: AT_FDCWD)
    } catch {
      let isAbsent = error == .noSuchFile || error == .notDirectory
      guard isAbsent else { throw DeviceError(unableTo: operation, path, error) }
      throw DeviceError(.notADevice, operation: operation, path: path, errno: error)
    }
    guard let number = file.device else {
      throw DeviceError(.notADevice, operation: operation, path: path)
    }
    let device = DeviceEnumerator(roots: roots).device(number.number, isBlock: number.isBlock)
    let node = SymbolicLink.canonical(path) ?? path
    return UseTarget(
      node: node, askedAs: node == path ? [] : [path], device: device, number: number,
      identity: file.identity)
  }
}
