/// The reason why this version cannot read a document as a snapshot.
public enum SnapshotError: Error, Hashable, Sendable {
  /// The document has a different format, or none.
  case notASnapshot
  /// A newer version of this package has written the document.
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
