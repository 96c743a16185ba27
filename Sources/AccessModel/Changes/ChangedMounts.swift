/// Where mounts came, went or changed between two looks.
struct ChangedMounts {
  let points: Set<String>

  /// - Parameter differences: What became different about mounts.
  init(_ differences: [FactsDifference]) {
    points = Set(differences.compactMap(\.object))
  }

  /// Whether a path is on one of them, so that something else may be seen there now.
  func reach(_ path: String?) -> Bool {
    guard let path else { return false }
    return points.contains { path == $0 || path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }
}
