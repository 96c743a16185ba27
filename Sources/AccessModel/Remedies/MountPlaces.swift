/// The mounts of a case by their places, for questions about many nodes.
///
/// ``AccessCase/mount(of:)`` looks at every mount, which for every node of a snapshot takes time in the
/// square of its size.
struct MountPlaces {
  private let mounts: [PathKey: Mount]

  /// - Parameter mounts: The mounts in their order: of several at one place the last counts.
  init(_ mounts: [Mount]) {
    self.mounts = Dictionary(
      mounts.map { (PathKey($0.at), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The mount that a canonical path is on.
  ///
  /// - Parameter path: The path.
  /// - Returns: The mount with the longest mount point above it, or at it; `nil` without one.
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
