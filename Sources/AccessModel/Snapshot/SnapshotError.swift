/// Why a document is not a snapshot that this version can read.
public enum SnapshotError: Error, Hashable, Sendable {
  /// It says that it is something else, or does not say what it is.
  case notASnapshot
  /// It was written by a newer version of this package.
  case newerVersion(Int)
}

extension SnapshotError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notASnapshot: "not a snapshot"
    case .newerVersion(let version):
      "newer version \(version); this program reads snapshots up to version "
        + "\(AccessFacts.snapshotVersion)"
    }
  }
}
