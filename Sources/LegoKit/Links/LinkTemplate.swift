/// The form of a link: segments and names of a query that are fixed, and places for values.
struct LinkTemplate: Sendable {
  enum Segment: Hashable, Sendable {
    case fixed(String)
    case value
  }

  let text: String
  let segments: [Segment]
  /// The names of the query's values, in their order.
  let names: [String]

  /// How many values a link of this form carries: those of the path, then those of the query.
  var valueCount: Int { pathValueCount + names.count }
  let pathValueCount: Int

  /// Reads a template such as `/camera/:id?zoom=&lens=`.
  init(_ text: String) throws(LinkTemplateError) {
    self.text = text
    func fault(_ reason: String) -> LinkTemplateError {
      LinkTemplateError(template: text, reason: reason)
    }
    guard text.hasPrefix("/") else { throw fault("does not begin with a slash") }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments: [Segment] = []
    for part in halves[0].split(separator: "/") {
      guard part.hasPrefix(":") else {
        segments.append(.fixed(String(part)))
        continue
      }
      guard part.count > 1 else { throw fault("has a place without a name") }
      segments.append(.value)
    }
    var names: [String] = []
    if halves.count > 1 {
      for part in halves[1].split(separator: "&", omittingEmptySubsequences: false) {
        guard part.hasSuffix("="), part.count > 1, !part.dropLast().contains("=") else {
          throw fault("has a query that is no list of names, each with an equals sign")
        }
        let name = String(part.dropLast())
        if names.contains(name) { throw fault("has the name \(name) twice in its query") }
        names.append(name)
      }
    }
    self.segments = segments
    self.names = names
    pathValueCount = segments.count { $0 == .value }
  }

  /// Takes the texts of a link's values in their order; `nil` when it has another form.
  func values(of link: LinkParts) -> [String?]? {
    guard link.segments.count == segments.count else { return nil }
    var values: [String?] = []
    for (segment, found) in zip(segments, link.segments) {
      switch segment {
      case .fixed(let text): if text != found { return nil }
      case .value: values.append(found)
      }
    }
    for name in names { values.append(link.query.first { $0.name == name }?.value) }
    return values
  }

  /// Makes a link of values in their order; `nil` when the path has no place for an empty one.
  func link(with values: [String?]) -> String? {
    var link = ""
    var values = values[...]
    for segment in segments {
      link += "/"
      switch segment {
      case .fixed(let text): PercentCoding.append(text, to: &link)
      case .value:
        guard let value = values.popFirst() ?? nil, !value.isEmpty else { return nil }
        PercentCoding.append(value, to: &link)
      }
    }
    if segments.isEmpty { link = "/" }
    var separator = "?"
    for (name, value) in zip(names, values) {
      guard let value else { continue }
      link += separator
      PercentCoding.append(name, to: &link)
      link += "="
      PercentCoding.append(value, to: &link)
      separator = "&"
    }
    return link
  }
}
