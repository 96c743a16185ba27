internal import AccessModel

/// The text of `devaccess help CAUSE`: the section of the article *Causes* that describes it.
struct CauseText {
  let cause: CauseCode
  let style: Style

  init(_ cause: CauseCode, style: Style) {
    self.cause = cause
    self.style = style
  }

  var text: String {
    let heading = "\(cause.rawValue): \(cause.title)"
    var lines = [style.paint(heading, .heading)]
    for paragraph in paragraphs {
      lines.append("")
      lines += Wrapping.lines(paragraph, width: style.width)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The paragraphs below the heading of the cause, each on one line, without the marks of DocC.
  private var paragraphs: [String] {
    let article = String(decoding: PackageResources.Causes_md, as: UTF8.self)
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { !$0.hasPrefix("### \(cause.rawValue):") }.dropFirst()
      .prefix { !$0.hasPrefix("#") }
    var paragraphs: [String] = []
    var isOpen = false
    for line in section {
      let text = Self.plain(line)
      let isItem = text.hasPrefix("- ")
      if isOpen, !text.isEmpty, !isItem {
        paragraphs[paragraphs.count - 1] += " " + text.drop { $0 == " " }
      } else if !text.isEmpty {
        paragraphs.append(text)
      }
      isOpen = !text.isEmpty
    }
    return paragraphs
  }

  /// A line without the marks of code and emphasis; a star in code is part of a path.
  private static func plain(_ line: Substring) -> String {
    var isCode = false
    return String(
      line.filter { character in
        if character == "`" { isCode.toggle() }
        return character != "`" && (isCode || character != "*")
      })
  }
}
