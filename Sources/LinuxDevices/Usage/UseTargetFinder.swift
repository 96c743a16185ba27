internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the devices that a question about users is about.
struct UseTargetFinder {
  let roots: MachineRoots

  /// The devices that a target means.
  ///
  /// - Parameter target: The target.
  /// - Throws: `notADevice` for a path that leads to no device, `unavailable` when something cannot
  ///   be looked at.
  /// - Returns: Those with a node, or a number that one had.
  func devices(of target: Question.Target) throws(DeviceError) -> [UseTarget] {
    switch target {
    case .kind(let kind): try devices(of: kind)
    case .path(let path): [try device(at: path)]
    }
  }

  /// The devices of a kind.
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

  /// The device at a path as far as it tells which one it is; `nil` where there is none.
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

  /// The paths below `/dev` of the character devices that have one of some numbers.
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
      // Another device may have taken the node; its users are none of this one's.
      guard let number = file.device, device.number == nil || number.number == device.number
      else { return nil }
      return UseTarget(
        node: node, kind: kind, device: device, number: number, identity: file.identity)
    } catch {
      // A node that is not there was opened by nobody who sees this /dev; its number still counts.
      guard !error.isOfResources, let number = device.number else {
        throw DeviceError(unableTo: "inspect", node, error)
      }
      return UseTarget(
        node: node, kind: kind, device: device,
        number: NodeNumber(isBlock: device.subsystem == "block", number: number),
        identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 0), inode: 0))
    }
  }

  /// The devices whose use matters to what is told of some, beside them: those of the same driver, where
  /// it tells of the use of all together.
  func siblings(of targets: [UseTarget]) -> [UseTarget] {
    let drivers = DriverObserver.countingDrivers(of: targets)
    guard !drivers.isEmpty else { return [] }
    let own = Set(targets.compactMap(\.device).map(\.sysfsPath))
    let enumerator = DeviceEnumerator(roots: roots)
    // A camera may have a node of its parts, too, which the same driver makes.
    let all = ["video4linux", "media"].flatMap { subsystem in
      (try? enumerator.devices(inSubsystem: subsystem)) ?? []
    }
    return all.filter { device in
      (device.driver.map(drivers.contains) ?? false) && !own.contains(device.sysfsPath)
    }.compactMap { device in (try? target(device, of: nil)) ?? nil }
  }

  /// Whether each filesystem answers on the way to what a path leads to.
  private func hasAnswer(at path: String) -> Bool {
    // Most nodes need no table of mounts, which can be long.
    if AbsolutePath.parent(of: path) == "/dev", SymbolicLink.target(of: path) == nil { return true }
    var ignored: [Unobserved] = []
    let mounts = MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    guard mounts.hasDistant else { return true }
    var names = AbsolutePath.components(of: path)
    var place = "/"
    var links = 0
    while !names.isEmpty {
      let next = (place == "/" ? "" : place) + "/" + names.removeFirst()
      guard mounts.distantPoint(of: next).map(DistantFilesystems.shared.answers) ?? true else {
        return false
      }
      guard let target = SymbolicLink.target(of: next) else {
        place = next
        continue
      }
      // A link that leads to itself is the kernel's to refuse (MAXSYMLINKS).
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
