import Foundation

/// Names for what tests create in folders that all programs share, such as `/dev/shm`.
package enum TestName {
  /// The beginning of every name.
  ///
  /// `Scripts/test` chooses one for each run, and removes what is left under it at the end: a child
  /// that becomes another user, or that a signal ends, cannot remove its own files.
  package static let prefix =
    "devaccess-"
    + (ProcessInfo.processInfo.environment["DEVACCESS_TEST_RUN"].map { $0 + "-" } ?? "")

  /// A name that nothing else has.
  package static var unique: String { prefix + UUID().uuidString }
}
