internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// The JSON object of `devaccess request album --select`.
struct AlbumSelectionOutput: Encodable {
  /// A file that the user chose.
  struct File: Encodable {
    let path: String
    let name: String
    let isReadable: Bool
    let isWritable: Bool
    let reason: String?

    private enum CodingKeys: String, CodingKey {
      case path, name
      case isReadable = "is_readable"
      case isWritable = "is_writable"
      case reason
    }
  }

  /// A chosen URI that is not the path of a file.
  struct Unusable: Encodable {
    let uri: String
    let reason: String
  }

  let schema = Schema.name
  let command = CommandName.request
  let answer: Answer
  let exitStatus: Int32
  let kind = "album"
  let status: PermissionStatus
  let outcome: String
  let reason: String?
  let files: [File]
  let unusable: [Unusable]
  let isComplete: Bool

  private enum CodingKeys: String, CodingKey {
    case schema, command, answer
    case exitStatus = "exit_status"
    case kind, status, outcome, reason, files, unusable
    case isComplete = "is_complete"
  }

  init(_ selection: AlbumSelection) {
    answer = selection.answer
    exitStatus = ExitStatus(selection.answer).rawValue
    status = selection.status
    outcome = selection.outcome.word
    reason = selection.reason
    files = selection.files.map {
      File(
        path: $0.path, name: $0.name, isReadable: $0.isReadable, isWritable: $0.isWritable,
        reason: $0.reason)
    }
    unusable = selection.unusable.map { Unusable(uri: $0.uri, reason: $0.reason) }
    isComplete = selection.isComplete
  }
}
