import AccessModel
import Testing

@testable import DeviceAccessCommands

@Suite struct `What is not told by events` {
  @Test func `is one line for the same reason at several places`() {
    let errors = RecordingSink()
    let streams = StandardStreams(input: 0, output: RecordingSink(), errors: errors)
    var report = GapReport(
      CommandRun(
        of: .watch, among: { [] }, json: false, style: .plain, streams: streams, executor: nil))
    let limit = "fs.inotify.max_user_watches is reached"
    report.report(
      ["/dev", "/srv", "/"].map { Unobserved("file-events", at: $0, reason: limit) }
        + [Unobserved("open-events", at: "/dev/video0", reason: limit)])
    #expect(
      errors.text == """
        devaccess: no file-events of /dev and 2 more (\(limit)): looking once a second
        devaccess: no open-events of /dev/video0 (\(limit)): looking once a second

        """)
  }
}
