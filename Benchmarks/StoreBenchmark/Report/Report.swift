import JSONText
import Synchronization

/// Where figures go: standard output, as text or as one JSON object a line.
final class Report: Sendable {
  /// What the arguments ask for.
  static let shared = Report(CommandLine.arguments.dropFirst())

  private let filter: String?
  private let isJSON: Bool
  private let group = Mutex("")
  /// The heading that waits for the first figure, since a filter may leave the group empty.
  private let heading = Mutex("")

  private init(_ arguments: ArraySlice<String>) {
    isJSON = arguments.contains("--json")
    filter = arguments.first { !$0.hasPrefix("--") }
  }

  /// Whether everything is measured.
  var isWhole: Bool { filter == nil }

  /// Whether figures of these names are wanted.
  func wants(_ names: [String]) -> Bool {
    guard let filter else { return true }
    return group.withLock { $0.contains(filter) } || names.contains { $0.contains(filter) }
  }

  /// Begins a group of figures.
  ///
  /// - Parameters:
  ///   - name: What is measured.
  ///   - note: What the figures contain, and what they leave out.
  func begin(_ name: String, _ note: String) {
    group.withLock { $0 = name }
    heading.withLock { $0 = isJSON ? "" : "\n\(name)\n  (\(note))\n" }
  }

  func add(_ figure: Figure) {
    let heading = heading.withLock { heading in
      defer { heading = "" }
      return heading
    }
    if isJSON {
      let line = Line(group: group.withLock { $0 }, figure: figure)
      print((try? JSONWriter.encode(line)) ?? "{}")
    } else {
      print(heading + figure.text)
    }
  }

  private struct Line: Encodable {
    let group: String
    let figure: Figure

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Figure.Key.self)
      try object.encode(group, forKey: .group)
      try figure.encode(into: &object)
    }
  }
}
