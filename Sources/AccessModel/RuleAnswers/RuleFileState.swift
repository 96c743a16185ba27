/// A file of rules while a fix for one of its lines is looked for.
struct RuleFileState {
  let original: RuleFile
  var folder: String
  var name: String
  var lines: [[UInt8]]
  /// The lines of the file that the rule is written on, counted from 1.
  let numbers: ClosedRange<Int>
  /// The rule, where its text changes.
  private(set) var text: RuleLineText?
  /// Whether the rule is put into a file of its own.
  private(set) var isAlone = false
  /// The author's line, with the conditions of each `GOTO` that leads past it; `nil` where udevd
  /// reads none.
  var written: RuleLineText?
  /// The same with the spelling that was meant.
  var meant: RuleLineText?
  /// A file that is removed, because it hides this one.
  var mask: String?
  /// A group that is made, because the rule names it.
  var group: UdevRuleText?
  /// A group that gets the number of a system group, because the rule names it.
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
    // The files of packages come back with the next update.
    if isOfPackage { folder = "/etc/udev/rules.d" }
    self.text = text
  }

  /// Writes the rule in another way, wherever it is now.
  mutating func write(_ text: RuleLineText) {
    if isAlone { self.text = text } else { rewrite(text) }
  }

  /// Moves the rule away from the lines around it.
  mutating func separate(_ line: RuleLineText) {
    text = line
    isAlone = true
  }

  /// The bytes of the rule as it is written; `nil` where its lines cannot be changed one by one.
  var line: [UInt8]? {
    // sed(1) counts lines by one kind of end alone.
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
    // The lines below keep their numbers, by which other commands may change them.
    let blanks = [[UInt8]](repeating: [], count: range.count - 1)
    changed.replaceSubrange(range, with: [written] + blanks)
    return Array(changed.joined(separator: [10]))
  }

  /// The facts with the file as it is then.
  func applied(to facts: RuleFacts) -> RuleFacts {
    let file = RuleFile(
      folder: folder, name: name, bytes: bytes, owner: original.owner,
      modified: original.modified)
    // A rule that is put into a file of its own also stays where it has no effect, and so does one
    // of a package, whose files are left alone.
    let old = isAlone || isOfPackage ? nil : original.path
    var facts = facts
    if let mask { facts = facts.replacing(mask, with: nil) }
    if let renumbered {
      facts.environment.groups[renumbered.group] = .present(renumbered.id)
    }
    if let group {
      let taken = Set(facts.environment.groups.values.compactMap(\.value))
      // Of these groupadd(8) chooses one.
      let id = (UInt32(100)...999).first { !taken.contains($0) } ?? 100
      facts.environment.groups[group] = .present(id)
    }
    return facts.replacing(old, with: file)
  }

  /// Whether the file is not the administrator's own.
  var isOfPackage: Bool {
    original.folder.hasPrefix("/usr/lib/") || original.folder.hasPrefix("/lib/")
  }

  /// Whether only a group changes, and udevd would not read the file again for that.
  var isOnlyRenewed: Bool { (group != nil || renumbered != nil) && fileCommands.isEmpty }

  /// The commands that make the file so, and what it names.
  var commands: [String] {
    var commands: [String] = []
    if let group { commands.append("groupadd --system \(group.description.shellQuoted)") }
    if let (group, id) = renumbered {
      commands.append("groupmod --gid \(id) \(group.description.shellQuoted)")
    }
    guard !commands.isEmpty else { return fileCommands }
    // udevd looks names up when it reads a file, and reads none that is as it was.
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
