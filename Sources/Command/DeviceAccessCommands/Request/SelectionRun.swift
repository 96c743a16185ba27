internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Runs `devaccess request album --select`.
struct SelectionRun {
  let request: AlbumSelectionRequest
  /// The program to run with the files that can be read, and its arguments; empty for none.
  let program: [String]

  func run(_ run: CommandRun) async throws -> ExitStatus {
    run.streams.report("asking the file chooser portal, which shows a dialog")
    let selection = await Contractors().permissions.requestAlbumSelection(request)
    let status = ExitStatus(selection.answer)
    guard !program.isEmpty else {
      if run.json { return try run.show(json: AlbumSelectionOutput(selection), status) }
      return try run.show(text(selection, run).text, status)
    }
    // Standard output is reserved for the program.
    for line in text(selection, run).problems { run.streams.report(line) }
    guard status == .allowed else { return status }
    // The paths are absolute, so the program cannot mistake them for options.
    let error = ProgramReplacement.run(program + selection.readable.map(\.path))
    run.streams.report("cannot run \(Escaped(program[0])): \(error.clause)")
    return error == .noSuchFile ? .notFound : .notExecutable
  }

  private func text(_ selection: AlbumSelection, _ run: CommandRun) -> AlbumSelectionText {
    AlbumSelectionText(selection: selection, style: run.style)
  }
}
