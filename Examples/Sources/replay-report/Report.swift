import LegoKit

/// A recorded run, gone through with one version of the gallery.
struct Report {
  /// What happened, a line for each change.
  private(set) var lines: [String] = []
  /// The first step after which something was wrong, counted from one; `nil` where nothing was.
  private(set) var fault: Int?

  /// Replays a recording.
  ///
  /// - Parameters:
  ///   - recording: The lines that `Lego.record(to:)` wrote.
  ///   - gallery: What changes do.
  /// - Throws: `RecordingError`, which names the line.
  init<B: Blueprint>(
    _ recording: some Sequence<some StringProtocol>, with gallery: B
  ) throws(RecordingError) where B.Design == GalleryDesign, B.Change == GalleryChange {
    var replay = try Replay(GalleryDesign(), blueprint: gallery, lines: recording)
    var before = replay.design
    while let change = replay.step() {
      let difference = Difference(from: before, to: replay.design)
      lines.append("\(replay.position). \(change)")
      lines += difference.entries.map { "     \($0)" }
      if let reason = replay.design.fault {
        lines.append("     wrong: \(reason)")
        fault = fault ?? replay.position
      }
      before = replay.design
    }
  }
}
