import Foundation

/// Creates names for files in directories that all programs share, such as `/dev/shm`.
package enum TestName {
  /// The prefix of every name.
  ///
  /// `Scripts/test` sets a prefix for each run, and removes the remaining files with this prefix at
  /// the end. A child process that becomes another user, or is killed, cannot remove its own files.
  package static let prefix =
    "devaccess-"
    + (ProcessInfo.processInfo.environment["DEVACCESS_TEST_RUN"].map { $0 + "-" } ?? "")

  /// Returns a new unique name.
  package static var unique: String { prefix + UUID().uuidString }
}
