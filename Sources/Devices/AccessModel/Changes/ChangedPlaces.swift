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
