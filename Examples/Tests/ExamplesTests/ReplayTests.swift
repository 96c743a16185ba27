import Foundation
import LegoKit
import Synchronization
import Testing

@testable import replay_report

@Suite struct `A recorded bug report` {
  /// What a person sent: the steps to the bug, as the program had written them.
  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/deleted-picture.jsonl").path

  private let recording: [String]

  init() throws {
    recording = try String(contentsOfFile: Self.path, encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test func `shows the bug of the released version`() throws {
    let report = try Report(recording, with: ReleasedGallery())
    #expect(report.fault == 6)
    #expect(report.lines.contains("     wrong: picture 3 of 2 is selected"))
  }

  @Test func `shows that the mended version does not have it`() throws {
    let report = try Report(recording, with: MendedGallery())
    #expect(report.fault == nil)
    let replay = try Replay(GalleryDesign(), blueprint: MendedGallery(), lines: recording)
    var end = replay
    #expect(end.finish() == GalleryDesign(pictures: ["harbour.jpg", "dunes.jpg"], selection: 1))
  }

  @Test func `is what a store writes`() throws {
    let lines = Mutex<[String]>([])
    let lego = Lego(GalleryDesign(), blueprint: ReleasedGallery())
    let token = lego.record(to: LogSink { line in lines.withLock { $0.append(line) } })
    let replay = try Replay(GalleryDesign(), blueprint: ReleasedGallery(), lines: recording)
    for change in replay.changes { lego.build(change) }
    token.cancel()
    #expect(lines.withLock { $0 } == recording)
  }

  @Test func `that is damaged is refused with its line`() {
    let error = #expect(throws: RecordingError.self) {
      try Report(recording + [#"{"rotate":{}}"#], with: MendedGallery())
    }
    #expect(error?.line == recording.count + 1)
  }

  @Test func `stands for many others: no run leads the mended version astray`() {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var design = GalleryDesign()
      for step in 0..<20 {
        let place = Int.random(in: -1...6, using: &numbers)
        let changes: [GalleryChange] = [
          .add("\(step)"), .select(place), .selectNext, .delete(place),
        ]
        let before = design
        let change = changes.randomElement(using: &numbers) ?? .selectNext
        MendedGallery().change(&design, on: change)
        #expect(design.fault == nil, "\(change) of \(before)")
        // What stays selected is the same picture, unless that is what went.
        if case .delete(let deleted) = change, let selection = before.selection,
          deleted != selection
        {
          #expect(design.selection.map { design.pictures[$0] } == before.pictures[selection])
        }
      }
    }
  }

  @Test func `is replayed by the program`() throws {
    let released = try Child.run("\"$bin/replay-report\" --released <'\(Self.path)'")
    #expect(released.status == 1)
    #expect(released.output.hasSuffix("replay-report: something is wrong after change 6\n"))
    let mended = try Child.run("\"$bin/replay-report\" <'\(Self.path)'")
    #expect(mended.status == 0)
    #expect(!mended.output.contains("wrong"))
    #expect(try Child.run("echo '{}' | \"$bin/replay-report\"").status == 65)
    #expect(try Child.run("\"$bin/replay-report\" --mended </dev/null").status == 64)
  }
}
