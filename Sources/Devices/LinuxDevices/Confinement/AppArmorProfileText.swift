internal import AccessModel

/// Searches `/etc/apparmor.d` for the rule of a profile that applies to a path (apparmor.d(5)).
///
/// The result is only a hint, because the text may have changed since the profile was loaded, or
/// may be stored elsewhere.
struct AppArmorProfileText {
  private let folder: String
  private let path: String
  /// The number of lines that may still be read.
  private var room = 50_000
  private var allowing: String?
  private var denying: String?

  init(roots: MachineRoots, path: String) {
    folder = "\(roots.etc)/apparmor.d"
    self.path = path
  }

  /// Returns the rule and its file, or a clause that states that the profile has no rule for the
  /// path.
  ///
  /// The result is `nil` if the text of the profile was not found.
  mutating func rule(of label: String) -> String? {
    let name = Self.lastName(of: label)
    let first = name.hasPrefix("/") ? String(name.dropFirst()) : name
    let likely = [first.split(separator: "/").joined(separator: "."), first]
    var files = Self.names(in: folder)
    files = likely.filter(files.contains) + files.filter { !likely.contains($0) }
    for file in files {
      guard let lines = lines(of: file), let block = Self.block(named: name, in: lines) else {
        continue
      }
      read(block, file, depth: 0)
      let place = "(/etc/apparmor.d/\(file))"
      return (denying ?? allowing) ?? "no rule for \(path) \(place)"
    }
    return nil
  }

  /// Returns the innermost name of a profile, because a nested profile is named `outer//inner`.
  private static func lastName(of label: String) -> String {
    guard let range = label.ranges(of: "//").last else { return label }
    return String(label[range.upperBound...])
  }

  private mutating func lines(of file: String) -> [Substring]? {
    guard room > 0,
      let contents = try? BoundedFile.read("\(folder)/\(file)", limit: 1 << 20),
      let text = String(validating: contents.bytes, as: UTF8.self)
    else { return nil }
    // The text is split by bytes, because Swift treats CR LF as one character.
    let lines = text.utf8.split(separator: ByteScanner.newline, maxSplits: room).map {
      Substring($0)
    }
    room -= lines.count
    return lines
  }

  /// Returns the lines between the braces of a profile; `nil` if the profile was not found.
  private static func block(named name: String, in lines: [Substring]) -> [String]? {
    var block: [String] = []
    var depth = 0
    var isInside = false
    for line in lines {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.first?.hasPrefix("#") == true, words.first != "#include" { continue }
      let opens = line.hasSuffix("{") || words.last == "{"
      if !isInside {
        let quoted = "\"\(name)\""
        guard opens, words.contains(where: { $0 == name || $0 == quoted || $0 == "^" + name })
        else { continue }
        isInside = true
        depth = 1
        continue
      }
      if opens { depth += 1 }
      if words.first == "}" || words.first == "}," { depth -= 1 }
      if depth == 0 { return block }
      // The rules of a nested profile do not belong to the outer one.
      if depth == 1 { block.append(words.joined(separator: " ")) }
    }
    return isInside ? block : nil
  }

  private mutating func read(_ lines: [String], _ file: String, depth: Int) {
    for line in lines {
      let words = line.split(separator: " ")
      guard let first = words.first else { continue }
      if first == "#include" || first == "include" {
        guard depth < 4, let name = Self.included(words), let lines = self.lines(of: name) else {
          continue
        }
        read(
          lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }, name,
          depth: depth + 1)
      } else if !first.hasPrefix("#"), concerns(words) {
        let quote = "\"\(line.prefix(200))\" (/etc/apparmor.d/\(file))"
        if words.contains("deny") {
          denying = denying ?? quote
        } else {
          allowing = allowing ?? quote
        }
      }
    }
  }

  /// Returns the file in `include <abstractions/video>`.
  ///
  /// The result is `nil` for another form of inclusion, or if the path contains `..`.
  private static func included(_ words: [Substring]) -> String? {
    guard let word = words.last, word.hasPrefix("<"), word.hasSuffix(">"), !word.contains("..")
    else { return nil }
    return String(word.dropFirst().dropLast())
  }

  private func concerns(_ words: [Substring]) -> Bool {
    if words == ["file,"] { return true }
    let marks: Set<Substring> = ["audit", "deny", "allow", "owner", "file", "quiet"]
    guard let word = words.first(where: { !marks.contains($0) && $0.contains("/") }) else {
      return false
    }
    let pattern = String(word).trimming { $0 == "\"" || $0 == "," }
    return pattern.hasPrefix("/") && AppArmorPattern(pattern).matches(path)
  }

  private static func names(in folder: String) -> [String] {
    let names = (try? Directory.names(in: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.prefix(4096).sorted()
  }
}

extension String {
  fileprivate func trimming(_ isMark: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isMark(first) { rest.removeFirst() }
    while let last = rest.last, isMark(last) { rest.removeLast() }
    return String(rest)
  }
}

extension AccessFacts {
  /// Searches the text of the subject's AppArmor profile for a rule on the requested path.
  mutating func readProfile(roots: MachineRoots) {
    guard let label = confinement.label, label.hasSuffix("(enforce)") || isAppArmorUnit else {
      return
    }
    let open = label.hasSuffix(")") ? label.lastIndex(of: "(") : nil
    let name = String(label[..<(open ?? label.endIndex)]).split(separator: " ")
      .joined(separator: " ")
    var text = AppArmorProfileText(roots: roots, path: access.request.path)
    confinement.profileRule = text.rule(of: name)
  }

  private var isAppArmorUnit: Bool {
    confinement.service?.appArmorProfile != nil && origin?.kind == .unit
      && confinement.label?.hasSuffix(")") == false
  }
}
