internal import AccessModel

/// The output of `devaccess help CAUSE`: the section about the cause in the article *Causes*.
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

  /// The paragraphs below the heading of the cause, each as one line without Markdown markup.
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

  /// Removes the markup for code and emphasis; an asterisk in code is kept, because it belongs to a
  /// path.
  private static func plain(_ line: Substring) -> String {
    var isCode = false
    return String(
      line.filter { character in
        if character == "`" { isCode.toggle() }
        return character != "`" && (isCode || character != "*")
      })
  }
}
