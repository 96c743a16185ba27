internal import AccessModel

/// The directories on the path to an object, and the mounts that the path crosses.
///
/// No directory is a symbolic link, and everything about the directories was observed.
struct KnownDirectories: Sendable {
  /// The directories, from the root directory down.
  let sightings: [PathObserver.Sighting]
  /// The index of each path in ``sightings``.
  let places: [PathKey: Int]
  let mounts: [Mount]

  /// Creates the known directories for one path.
  ///
  /// Returns `nil` if the observations would not hold for other objects in the last directory.
  ///
  /// - Parameters:
  ///   - sightings: The objects on the path, from the root directory down.
  ///   - places: The index of each path in `sightings`.
  ///   - mounts: The mounts of these objects and of `end`.
  ///   - end: The object that follows them on the path.
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
    // A network filesystem may have stopped responding by the time another file is inspected.
    guard !mounts.contains(where: { MountEntry.isDistant($0.fstype) }) else { return nil }
    guard AbsolutePath.parent(of: end.node.path) == above, end.node.type != .symbolicLink,
      isOnLastMount(end)
    else { return nil }
  }

  /// Returns whether any of the paths is one of these directories.
  func lead(through paths: Set<String>) -> Bool {
    paths.contains { places[PathKey($0)] != nil }
  }

  /// Returns whether an object is on the same mount as its directory, as statx(2) reports.
  func isOnLastMount(_ end: PathObserver.Sighting) -> Bool {
    guard let mount = end.mountID, end.reportsFlags else { return false }
    return sightings.last?.mountID == mount
  }
}
