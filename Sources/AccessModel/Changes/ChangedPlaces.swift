/// Paths at which something else may be seen than at an earlier look, as may be below them.
struct ChangedPlaces {
  let points: Set<String>

  init(_ points: Set<String>) { self.points = points }

  /// Where mounts came, went or changed.
  ///
  /// - Parameter differences: What became different about mounts.
  init(mounts differences: [FactsDifference]) {
    points = Set(differences.compactMap(\.object))
  }

  /// Whether a path is one of them, or below one.
  func reach(_ path: String?) -> Bool {
    guard let path else { return false }
    return points.contains { path == $0 || path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }
}
