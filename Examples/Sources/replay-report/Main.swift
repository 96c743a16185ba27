import Glibc
import LegoKit

/// Replays a bug report: `replay-report [--released]`, with the recording on standard input.
///
/// Exit status: 0 when nothing goes wrong, 1 when something does, 64 for wrong arguments, 65 for what
/// is not a recording.
@main struct Main {
  /// The longest recording, in bytes.
  private static let limit = 64 << 20

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.isEmpty || arguments == ["--released"] else {
      fail("usage: replay-report [--released] <RECORDING", 64)
    }
    var lines: [String] = []
    var length = 0
    while let line = readLine() {
      length += line.utf8.count
      if length > limit { fail("the recording is longer than 64 MiB", 65) }
      lines.append(line)
    }
    do throws(RecordingError) {
      let report =
        if arguments.isEmpty {
          try Report(lines, with: MendedGallery())
        } else {
          try Report(lines, with: ReleasedGallery())
        }
      for line in report.lines { print(line) }
      if let fault = report.fault { fail("something is wrong after change \(fault)", 1) }
    } catch {
      fail("\(error)", 65)
    }
  }

  private static func fail(_ reason: String, _ status: Int32) -> Never {
    fflush(nil)
    let line = Array("replay-report: \(reason)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
