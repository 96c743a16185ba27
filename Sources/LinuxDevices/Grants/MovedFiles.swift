package import AccessModel
internal import Synchronization

/// Finds files that were moved within a folder, by the numbers of their inodes.
///
/// The filesystem finds them by their handles, but for root alone. The folder is read once.
package final class MovedFiles: Sendable {
  /// The paths of each number, once the folder was read.
  private let paths = Mutex<[UInt64: [String]]?>(nil)

  /// How many names are read at most, and how deep.
  private static let mostNames = 200_000
  private static let mostDepth = 64

  package init() {}

  /// Holds the inode of a record.
  ///
  /// - Parameters:
  ///   - object: The record.
  ///   - folder: The absolute path of the folder; `nil` for none. It is asked for once.
  /// - Returns: `nil` where no name below the folder leads to the inode.
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

  /// The paths below a folder, on its filesystem alone, as far as they can be read.
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
