internal import AccessModel

extension BatchBuilder {
  mutating func makeMounts() {
    mounts = [makeMount(at: "/")]
    guard random.chance(55) else { return }
    mounts.append(makeMount(at: random.pick(["/sub", "/sub", "/sub", "/a/sub", "/a/b/sub"])))
    // A mount on top of the second one, below it, or next to it.
    guard random.chance(15) else { return }
    let second = mounts[1].at
    mounts.append(makeMount(at: random.pick([second, second + "/m", second + "/a/m", "/beside"])))
  }

  private mutating func makeMount(at place: String) -> Mount {
    var mount = Mount(at: place, fstype: "tmpfs")
    // A flag of the root mount changes every answer of the batch, so it is set less often.
    let percent = place == "/" ? 6 : 20
    mount.readOnly = random.chance(percent)
    mount.nodev = random.chance(percent)
    mount.noexec = random.chance(percent)
    mount.nosymfollow = random.chance(percent)
    mount.superblockReadOnly = random.chance(percent)
    if random.chance(place == "/" ? 8 : 15) {
      mount.filesystemNamespace = IDMapping(
        users: makeMap(inside: users + [0], outside: users, mayBeEmpty: false),
        groups: makeMap(inside: groups + [0], outside: groups, mayBeEmpty: false))
      // A superblock of a user namespace cannot have devices.
      mount.superblockNodev = true
    }
    // Only a mount with both mappings shows the order in which they are applied.
    let isOwned = mount.filesystemNamespace != nil
    if random.chance(isOwned ? 60 : place == "/" ? 10 : 25) && options.idMappedMounts {
      // The filesystem stores the IDs inside the namespace of its owner.
      let namespace = mount.filesystemNamespace
      let storedUsers = namespace?.users.ranges.map(\.inside) ?? users
      let storedGroups = namespace?.groups.ranges.map(\.inside) ?? groups
      mount.idmap = IDMapping(
        users: makeIdmap(stored: storedUsers, seen: users),
        groups: makeIdmap(stored: storedGroups, seen: groups))
    }
    return mount
  }

  private mutating func makeIdmap(stored: [UInt32], seen: [UInt32]) -> IDMap {
    if random.chance(40) {
      return makeMap(inside: stored, outside: seen, mayBeEmpty: false)
    }
    // Map most of the stored IDs individually, and leave some out.
    var map = IDMap([])
    let places = random.shuffled(seen)
    for (index, id) in random.shuffled(stored).enumerated() where random.chance(75) {
      let outside = places[index % places.count]
      let taken = map.ranges.contains { $0.outside == outside || $0.inside == id }
      if !taken { map.ranges.append(IDMap.Range(inside: id, outside: outside, length: 1)) }
    }
    if map.ranges.isEmpty {
      map.ranges = [IDMap.Range(inside: stored[0], outside: seen[0], length: 1)]
    }
    return map
  }

  /// Returns the owners that an inode on a mount can have, which are those its superblock can
  /// store.
  func owners(on mount: Mount) -> (users: [UInt32], groups: [UInt32]) {
    guard let namespace = mount.filesystemNamespace else { return (users, groups) }
    return (
      Self.storable(users, in: namespace.users), Self.storable(groups, in: namespace.groups)
    )
  }

  private static func storable(_ ids: [UInt32], in map: IDMap) -> [UInt32] {
    let kept = ids.filter { id in
      map.ranges.contains { id >= $0.outside && id - $0.outside < $0.length }
    }
    return kept.isEmpty ? [map.ranges[0].outside] : kept
  }

  /// Creates a device cgroup with rules for the devices of the batch.
  mutating func makeDeviceCgroup() -> DeviceCgroup {
    let devices = nodes.filter { $0.rdev != nil }
    var exceptions: [DeviceCgroup.Exception] = []
    for _ in 0..<random.number(0...4) {
      let node = devices.isEmpty ? nil : random.pick(devices)
      let accesses = random.number(1...7)
      let exception = DeviceCgroup.Exception(
        isBlock: node.map { $0.type == .blockDevice } ?? false,
        major: random.chance(15) ? nil : node?.rdev?.major ?? 1,
        minor: random.chance(25) ? nil : node?.rdev?.minor ?? 3,
        read: accesses & 1 != 0, write: accesses & 2 != 0, makeNode: accesses & 4 != 0)
      // The kernel merges two exceptions for the same numbers.
      let repeated = exceptions.contains {
        $0.isBlock == exception.isBlock && $0.major == exception.major
          && $0.minor == exception.minor
      }
      if !repeated { exceptions.append(exception) }
    }
    return DeviceCgroup(
      defaultBehavior: random.chance(60) ? .deny : .allow, exceptions: exceptions)
  }
}
