@testable import DeviceAccessCommands

/// A manual page, parsed from its mdoc source.
struct ManualPage {
  /// A command line in a page, along with the output below it.
  struct Example {
    /// The line after the prompt.
    var line: String
    /// A Boolean value that indicates whether the prompt is root's.
    var isPrivileged: Bool
    /// The lines that the command prints; `nil` if the page does not show them.
    var output: [String]?
  }

  let text: String
  private let lines: [String]

  /// Reads a page, given the name of its file, such as `devaccess-check.1`.
  init(_ name: String) throws {
    text = try Repository.read("Documentation/man/\(name)")
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Reads the page of a command.
  init(_ command: CommandName) throws {
    try self.init("devaccess-\(command.rawValue).1")
  }

  /// The files of the pages that do not belong to a single command.
  static let others = [
    "devaccess.1", "devaccess-snapshot.5", "devaccess-answers.7", "devaccess-broker.8",
  ]
  static let all = others + CommandName.allCases.map { "devaccess-\($0.rawValue).1" }

  /// The headings of the sections, in order.
  var headings: [String] {
    lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
  }

  /// Returns the lines below a heading.
  func section(_ heading: String) -> [String] {
    Array(
      lines.drop { $0 != ".Sh \(heading)" }.dropFirst().prefix { !$0.hasPrefix(".Sh ") })
  }

  /// The one-line description of the page.
  var summary: String? {
    lines.first { $0.hasPrefix(".Nd ") }.map { String($0.dropFirst(4)) }
  }

  /// The options that the lists of the page explain, such as `-r` and `--read`.
  var options: Set<String> {
    var options: Set<String> = []
    for line in lines where line.hasPrefix(".It Fl ") {
      for word in line.split(separator: " ").dropFirst() {
        if word.hasPrefix("\\-") {
          options.insert("--\(word.dropFirst(2))")
        } else if word.count == 1, word.first?.isLetter == true {
          options.insert("-\(word)")
        }
      }
    }
    return options
  }

  var examples: [Example] {
    var examples: [Example] = []
    var block: [String]?
    for line in section("EXAMPLES") {
      if line.hasPrefix(".Bd ") {
        block = []
      } else if line == ".Ed", let lines = block, let first = lines.first {
        examples.append(Self.example(first, output: Array(lines.dropFirst())))
        block = nil
      } else if block != nil {
        block?.append(Self.plain(line))
      } else if line.hasPrefix(".Dl ") {
        examples.append(Self.example(Self.plain(String(line.dropFirst(4)))))
      }
    }
    return examples
  }

  private static func example(_ line: String, output: [String]? = nil) -> Example {
    Example(
      line: String(line.dropFirst(2)), isPrivileged: line.hasPrefix("# "), output: output)
  }

  private static func plain(_ line: String) -> String {
    line.replacing("\\-", with: "-").replacing("\\e", with: "\\").replacing("\\&", with: "")
  }
}

extension ManualPage.Example {
  /// The words after `devaccess`, up to the end of that command; `nil` for another program.
  var arguments: [String]? {
    guard
      let start = line.ranges(of: "devaccess ").first(where: { range in
        range.lowerBound == line.startIndex
          || " (".contains(line[line.index(before: range.lowerBound)])
      })?.upperBound
    else { return line == "devaccess" ? [] : nil }
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line[start...] {
      if character == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if isQuoted || !" |&)".contains(character) {
        word = (word ?? "") + String(character)
      } else {
        if let word { words.append(word) }
        word = nil
        if character != " " { return words }
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// The paths of the members that jq prints, such as `["cause", "code"]`.
  var members: [[String]] {
    guard let filter = line.split(separator: "| jq -r ").dropFirst().first else { return [] }
    return filter.filter { $0 != "'" }.split(separator: ", ").map { path in
      path.split { ".[]".contains($0) }.map(String.init)
    }
  }
}
