internal import AccessModel

/// The file that determines the credentials after execve(2) of an `ExecStart=` command.
///
/// For a script, it is the interpreter (`bprm_creds_from_file`).
enum UnitProgram: Hashable {
  /// A file that does not change the credentials.
  case plain
  /// A file that may change the credentials.
  ///
  /// `isHonoured` indicates whether its mount allows that; it is `nil` if unknown.
  case privileged(path: String, file: ExecutableFacts, isHonoured: Bool?)
  /// No executable file exists at the path.
  case missing(String)
  /// The file could not be inspected, for the given reason.
  case unseen(String, reason: String)
}
