import AccessModel
import Testing

@testable import DeviceAccessCommands

@Suite struct `What is not told by events` {
  private let errors = RecordingSink()

  private var run: CommandRun {
    let streams = StandardStreams(input: 0, output: RecordingSink(), errors: errors)
    return CommandRun(
      of: .watch, among: { [] }, json: false, style: .plain, streams: streams)
  }

  @Test func `is said once for as long as it is so`() {
    var report = GapReport(run)
    let lasting = Unobserved("open-events", at: "/dev/media0", reason: "permission denied")
    let passing = Unobserved("open-events", at: "/dev/video0", reason: "no such file")
    for _ in 0..<3 {
      report.report([lasting])
      report.report([passing, lasting])
    }
    let lines = errors.text.split(separator: "\n")
    #expect(lines.count { $0.contains("media0") } == 1)
    #expect(lines.count { $0.contains("video0") } == 3)
    report.report([])
    report.report([lasting])
    #expect(errors.text.hasSuffix("(permission denied): polling every second\n"))
    #expect(errors.text.split(separator: "\n").count == 6)
  }

  @Test func `is one line for the same reason at several places`() {
    var report = GapReport(run)
    let limit = "fs.inotify.max_user_watches is reached"
    report.report(
      ["/dev", "/srv", "/"].map { Unobserved("file-events", at: $0, reason: limit) }
        + [Unobserved("open-events", at: "/dev/video0", reason: limit)])
    #expect(
      errors.text == """
        devaccess: no file-events of /dev and 2 more (\(limit)): polling every second
        devaccess: no open-events of /dev/video0 (\(limit)): polling every second

        """)
  }
}
