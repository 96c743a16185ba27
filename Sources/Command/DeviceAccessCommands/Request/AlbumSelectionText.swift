internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

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
