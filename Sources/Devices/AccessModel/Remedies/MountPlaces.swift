/// The mounts of a case by mount point, for looking up many nodes.
///
/// ``AccessCase/mount(of:)`` searches all mounts, so using it for every node of a snapshot would
/// take quadratic time.
struct MountPlaces {
  private let mounts: [PathKey: Mount]

  /// Creates a table of the given mounts.
  ///
  /// - Parameter mounts: The mounts in mount order. If several have the same mount point, the last
  ///   one is used.
  init(_ mounts: [Mount]) {
    self.mounts = Dictionary(
      mounts.map { (PathKey($0.at), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the mount that contains a canonical path.
  ///
  /// - Parameter path: The path.
  /// - Returns: The mount with the longest mount point at or above the path; `nil` if there is
  ///   none.
  func mount(of path: String) -> Mount? {
    var place = path[...]
    while !place.isEmpty {
      if let mount = mounts[PathKey(String(place))] { return mount }
      guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
      place = place[..<slash]
    }
    return mounts[PathKey("/")]
  }
}
