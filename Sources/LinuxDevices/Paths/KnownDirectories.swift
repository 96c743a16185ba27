internal import AccessModel

/// The directories on the way to what is in one, and the mounts that the way crosses.
///
/// No symbolic link is among them, and everything about them could be observed.
struct KnownDirectories: Sendable {
  /// From the root directory down.
  let sightings: [PathObserver.Sighting]
  /// Where each path is among them.
  let places: [PathKey: Int]
  let mounts: [Mount]

  /// Takes what was seen; `nil` where it tells too little about another object in the last directory.
  ///
  /// - Parameters:
  ///   - sightings: The objects on the way, from the root directory down.
  ///   - places: Where each path is among them.
  ///   - mounts: The mounts of them, and of the object after them.
  ///   - end: The object after them.
  init?(
    _ sightings: [PathObserver.Sighting], _ places: [PathKey: Int], _ mounts: [Mount],
    before end: PathObserver.Sighting
  ) {
    var above: String?
    for sighting in sightings {
      guard sighting.node.type == .directory,
        AbsolutePath.parent(of: sighting.node.path) == above ?? "/"
      else { return nil }
      above = sighting.node.path
    }
    self.sightings = sightings
    self.places = places
    self.mounts = mounts
    // Another file there may be one that its filesystem does not respond for any more.
    guard !mounts.contains(where: { MountEntry.isDistant($0.fstype) }) else { return nil }
    guard AbsolutePath.parent(of: end.node.path) == above, end.node.type != .symbolicLink,
      isOnLastMount(end)
    else { return nil }
  }

  /// Whether one of some paths is among them.
  func lead(through paths: Set<String>) -> Bool {
    paths.contains { places[PathKey($0)] != nil }
  }

  /// Whether an object is on the mount of the directory that it is in, which statx(2) tells.
  func isOnLastMount(_ end: PathObserver.Sighting) -> Bool {
    guard let mount = end.mountID, end.reportsFlags else { return false }
    return sightings.last?.mountID == mount
  }
}
