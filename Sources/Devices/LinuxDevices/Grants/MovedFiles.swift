package import AccessModel
internal import Synchronization

/// Uses inode numbers to find files that were moved within a folder.
///
/// Only root can look up files by their handles in the filesystem. The folder is read once.
package final class MovedFiles: Sendable {
  /// The paths of each inode number, after the folder was read.
  private let paths = Mutex<[UInt64: [String]]?>(nil)

  /// The maximum number of names to read, and the maximum depth.
  private static let mostNames = 200_000
  private static let mostDepth = 64

  package init() {}

  /// Finds and pins the inode of a grant.
  ///
  /// - Parameters:
  ///   - object: The object in the record of the grant.
  ///   - folder: Returns the absolute path of the folder, or `nil` if there is none. It is called
  ///     once.
  /// - Returns: The inode; `nil` if no known name in the folder leads to it.
  package func find(_ object: GrantedObject, below folder: () -> String?) -> PinnedNode? {
    let found = paths.withLock { paths in
      let all = paths ?? folder().map(Self.read) ?? [:]
      paths = all
      return all[object.inode.number] ?? []
    }
    for path in found {
      if let node = try? PinnedNode(path: path), node.isInode(of: object) { return node }
    }
    return nil
  }

  /// Returns the readable paths in a folder that are on the same filesystem.
  private static func read(_ folder: String) -> [UInt64: [String]] {
    guard let root = try? PinnedNode(path: folder), root.type == .directory else { return [:] }
    var paths = [root.inode.number: [folder]]
    var places = [(path: folder, depth: 0)]
    var left = mostNames
    while let place = places.popLast() {
      guard let directory = try? PinnedNode(path: place.path), directory.type == .directory,
        directory.inode.filesystem == root.inode.filesystem,
        let entries = try? Directory.numbers(in: place.path)
      else { continue }
      left -= entries.count
      guard left >= 0 else { break }
      for entry in entries {
        let path = "\(place.path)/\(entry.name)"
        paths[entry.number, default: []].append(path)
        if entry.isDirectory, place.depth < mostDepth { places.append((path, place.depth + 1)) }
      }
    }
    return paths
  }
}
