import JSONText
import Synchronization

/// Prints figures to standard output, as text or as one JSON object per line.
final class Report: Sendable {
  /// The report that the arguments of the program configure.
  static let shared = Report(CommandLine.arguments.dropFirst())

  private let filter: String?
  private let isJSON: Bool
  private let group = Mutex("")
  /// The heading to print before the next figure; a filter may leave a group without figures.
  private let heading = Mutex("")

  private init(_ arguments: ArraySlice<String>) {
    isJSON = arguments.contains("--json")
    filter = arguments.first { !$0.hasPrefix("--") }
  }

  /// A Boolean value that indicates whether no filter is set.
  var isWhole: Bool { filter == nil }

  /// Returns whether the filter selects the current group or a figure with one of the names.
  func wants(_ names: [String]) -> Bool {
    guard let filter else { return true }
    return group.withLock { $0.contains(filter) } || names.contains { $0.contains(filter) }
  }

  /// Starts a group of figures.
  ///
  /// - Parameters:
  ///   - name: A description of the measured operations.
  ///   - note: The conditions of the measurement.
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
