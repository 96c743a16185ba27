internal import UdevRules

/// A rules file during the search for a fix for one of its lines.
struct RuleFileState {
  let original: RuleFile
  var folder: String
  var name: String
  var lines: [[UInt8]]
  /// The lines of the file that contain the rule, counted from 1.
  let numbers: ClosedRange<Int>
  /// The new text of the rule, if it changes.
  private(set) var text: RuleLineText?
  /// A Boolean value that indicates whether the rule is moved to a separate file.
  private(set) var isAlone = false
  /// The author's line, with the conditions of each `GOTO` that skips it; `nil` if udevd cannot
  /// read the line.
  var written: RuleLineText?
  /// The same line with the intended spelling.
  var meant: RuleLineText?
  /// The path of a file to remove, because it hides this one.
  var mask: String?
  /// A group to create, because the rule names it.
  var group: UdevRuleText?
  /// A group that the rule names, with the system group ID that it gets.
  var renumbered: (group: UdevRuleText, id: UInt32)?

  init(_ file: RuleFile, numbers: ClosedRange<Int>) {
    original = file
    folder = file.folder
    name = file.name
    lines = file.bytes.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == 10 }
    ).map(Array.init)
    self.numbers = numbers
  }

  var path: String { "\(folder)/\(name)" }
  var place: UdevRulePlace {
    UdevRulePlace(path: path, line: isAlone ? 1 : numbers.lowerBound)
  }

  mutating func rewrite(_ text: RuleLineText) {
    // An update of the package would overwrite a changed file.
    if isOfPackage { folder = "/etc/udev/rules.d" }
    self.text = text
  }

  /// Changes the text of the rule in its current file.
  mutating func write(_ text: RuleLineText) {
    if isAlone { self.text = text } else { rewrite(text) }
  }

  /// Moves the rule to a separate file.
  mutating func separate(_ line: RuleLineText) {
    text = line
    isAlone = true
  }

  /// The bytes of the rule as written; `nil` if its lines cannot be changed one by one.
  var line: [UInt8]? {
    // sed(1) recognizes only one kind of line ending.
    guard !original.bytes.contains(where: { $0 == 0 || $0 == 13 }) else { return nil }
    var reader = UdevRuleLineReader(original.bytes)
    while let item = reader.next() {
      if case .line(let line) = item, line.numbers == numbers { return line.text }
    }
    return nil
  }

  private var bytes: [UInt8] {
    guard let text else { return original.bytes }
    let written = Array(text.text.utf8)
    if isAlone { return written + [10] }
    var changed = lines
    let range = (numbers.lowerBound - 1)..<min(numbers.upperBound, changed.count)
    guard range.lowerBound < range.upperBound else { return original.bytes }
    // The following lines keep their numbers, because other commands may refer to them.
    let blanks = [[UInt8]](repeating: [], count: range.count - 1)
    changed.replaceSubrange(range, with: [written] + blanks)
    return Array(changed.joined(separator: [10]))
  }

  /// Returns the facts with the changed file.
  func applied(to facts: RuleFacts) -> RuleFacts {
    let file = RuleFile(
      folder: folder, name: name, bytes: bytes, owner: original.owner,
      modified: original.modified)
    // A rule that moves to a separate file also stays in the original, where it has no effect. So
    // does a rule of a package, because package files are not changed.
    let old = isAlone || isOfPackage ? nil : original.path
    var facts = facts
    if let mask { facts = facts.replacing(mask, with: nil) }
    if let renumbered {
      facts.environment.groups[renumbered.group] = .present(renumbered.id)
    }
    if let group {
      let taken = Set(facts.environment.groups.values.compactMap(\.value))
      // groupadd(8) chooses an ID from this range.
      let id = (UInt32(100)...999).first { !taken.contains($0) } ?? 100
      facts.environment.groups[group] = .present(id)
    }
    return facts.replacing(old, with: file)
  }

  /// A Boolean value that indicates whether the file belongs to a package and not to the
  /// administrator.
  var isOfPackage: Bool {
    original.folder.hasPrefix("/usr/lib/") || original.folder.hasPrefix("/lib/")
  }

  /// A Boolean value that indicates whether only a group changes, in which case udevd does not read
  /// the file again by itself.
  var isOnlyRenewed: Bool { (group != nil || renumbered != nil) && fileCommands.isEmpty }

  /// The commands that produce the file and the groups that it names.
  var commands: [String] {
    var commands: [String] = []
    if let group { commands.append("groupadd --system \(group.description.shellQuoted)") }
    if let (group, id) = renumbered {
      commands.append("groupmod --gid \(id) \(group.description.shellQuoted)")
    }
    guard !commands.isEmpty else { return fileCommands }
    // udevd resolves names when it reads a file, and does not read an unchanged file again.
    return commands + (fileCommands.isEmpty ? [RuleEvent.renewing(original)] : fileCommands)
  }

  private var fileCommands: [String] {
    var commands: [String] = []
    if let mask { commands.append("rm \(mask.shellQuoted)") }
    if isAlone, let text {
      return commands + ["printf '%s\\n' \(text.text.shellQuoted) > \(path.shellQuoted)"]
    }
    if path != original.path {
      let tool = isOfPackage || !UdevRuleFileChoice.folders.contains(original.folder) ? "cp" : "mv"
      commands.append("\(tool) \(original.path.shellQuoted) \(path.shellQuoted)")
    }
    if let text {
      let change = "\(numbers.lowerBound)c\\\(text.text.doubling("\\"))".shellQuoted
      let options =
        numbers.count == 1
        ? change : "-e \(change) -e '\(numbers.lowerBound + 1),\(numbers.upperBound)s/.*//'"
      commands.append("sed -i \(options) \(path.shellQuoted)")
    }
    return commands
  }
}
