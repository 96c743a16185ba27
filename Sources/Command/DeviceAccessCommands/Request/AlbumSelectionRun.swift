internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Runs `devaccess request album --select`.
struct AlbumSelectionRun {
  let request: AlbumSelectionRequest
  /// The program to run with the files that can be read, and its arguments; empty for none.
  let program: [String]

  func run(_ context: CommandRun) async throws -> ExitStatus {
    context.streams.report("asking the file chooser portal, which shows a dialog")
    let selection = await Contractors().permissions.requestAlbumSelection(request)
    let status = ExitStatus(selection.answer)
    guard !program.isEmpty else {
      if context.json { return try context.show(json: AlbumSelectionOutput(selection), status) }
      return try context.show(text(selection, context).text, status)
    }
    // Standard output is reserved for the program.
    for line in text(selection, context).problems { context.streams.report(line) }
    guard status == .allowed else { return status }
    // The paths are absolute, so the program cannot mistake them for options.
    let error = ProgramReplacement.run(program + selection.readable.map(\.path))
    context.streams.report("cannot run \(Escaped(program[0])): \(error.clause)")
    return error == .noSuchFile ? .notFound : .notExecutable
  }

  private func text(_ selection: AlbumSelection, _ context: CommandRun) -> AlbumSelectionText {
    AlbumSelectionText(selection: selection, style: context.style)
  }
}

/// The output of `devaccess request album --select`: the answer, and one line per file.
struct AlbumSelectionText: Sendable {
  let selection: AlbumSelection
  let style: Style

  var text: String {
    ([answer] + files + unusable + rest).map { $0 + "\n" }.joined()
  }

  /// The reasons why files cannot be passed to a command, one per line.
  var problems: [String] {
    let lines = (selection.answer == .allowed ? [] : [answer]) + unreadable + unusable + rest
    return lines.map { line in String(line.drop { $0 == " " }) }
  }

  private var answer: String {
    let word = style.paint(selection.answer.rawValue, selection.answer.tone)
    let count = selection.readable.count
    let reason =
      selection.reason.map { style.safe($0, limit: 512) }
      ?? (count == 1 ? "1 chosen file can be read" : "\(count) chosen files can be read")
    return "\(word): album \(style.dash) \(reason)"
  }

  private var files: [String] {
    selection.files.map { file in
      guard file.isReadable else { return line(of: file) }
      return "  \(file.isWritable ? "read-write" : "read"): \(style.safe(file.path, limit: 4096))"
    }
  }

  private var unreadable: [String] {
    selection.files.filter { !$0.isReadable }.map(line)
  }

  private func line(of file: SelectedFile) -> String {
    let reason = file.reason.map { " \(style.dash) \(style.safe($0, limit: 512))" } ?? ""
    return "  cannot be read: \(style.safe(file.path, limit: 4096))\(reason)"
  }

  private var unusable: [String] {
    selection.unusable.map { unusable in
      let uri = unusable.uri.isEmpty ? "?" : style.safe(unusable.uri, limit: 512)
      return "  not a file: \(uri) \(style.dash) \(unusable.reason)"
    }
  }

  private var rest: [String] {
    selection.isComplete ? [] : ["  too many files were chosen; the rest are left out"]
  }
}

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
