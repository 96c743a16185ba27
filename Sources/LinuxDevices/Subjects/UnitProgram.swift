internal import AccessModel

/// The file that execve(2) takes the credentials of a command of `ExecStart=` from.
///
/// For a script that is its interpreter (`bprm_creds_from_file`).
enum UnitProgram: Hashable {
  /// One that leaves the credentials as they are.
  case plain
  /// One that may change them: where it is, and whether its mount lets it; `nil` where that is not
  /// known.
  case privileged(path: String, file: ExecutableFacts, isHonoured: Bool?)
  /// None at that path.
  case missing(String)
  /// What it is was not observed, for that reason.
  case unseen(String, reason: String)
}
