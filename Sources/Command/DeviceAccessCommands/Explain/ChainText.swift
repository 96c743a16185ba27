internal import AccessModel

/// The steps of a path lookup, one per line as in namei(1), with a pointer to the deciding step.
struct ChainText: Sendable {
  let decision: Decision
  /// The answer, which can differ from the outcome of the last step.
  let answer: Answer
  /// The code of the first cause.
  var cause: CauseCode?
  let mounts: [Mount]
  let names: ShownNames
  let style: Style
  /// A Boolean value that indicates whether all steps and all ACL entries are shown.
  var isVerbose = true

  /// Returns the lines, without indentation.
  func lines() -> [String] {
    let all = shownSteps()
    // Of a long path, only the first and the last steps matter.
    let isLong = !isVerbose && all.count > Self.mostSteps
    let steps = isLong ? Array(all.prefix(1) + all.suffix(Self.mostSteps - 2)) : all
    let hidden = all.count - steps.count
    var columns = Columns()
    for (_, step) in steps { columns.add(cells(step)) }
    let rows = columns.lines(style: style)
    var lines: [String] = []
    for (position, (row, (index, step))) in zip(rows, steps).enumerated() {
      if hidden > 0, position == 1 {
        let ellipsis = style.unicode ? "…" : "..."
        lines.append(style.paint("\(ellipsis)  \(hidden) more steps, all granted", .faint))
      }
      lines.append(row)
      let isDeciding = index == decision.steps.count - 1
      let indentation = String(repeating: " ", count: style.markWidth + 2)
      if isDeciding || !step.action.isOnTheWay {
        lines += aclLines(step, isDeciding: isDeciding).map { indentation + $0 }
      }
      if isDeciding { lines += pointer(step) }
    }
    return lines
  }

  /// A Boolean value that indicates whether the names in the last directory could not be observed.
  private var isBehindClosed: Bool {
    decision.steps.last { $0.node != nil }?.node?.unobserved.contains(.contents) ?? false
  }

  /// Returns the steps, without the repeated searches of a directory that symbolic links cause.
  private func shownSteps() -> [(index: Int, step: Step)] {
    var seen: Set<String> = []
    return decision.steps.enumerated().compactMap { index, step in
      let isLast = index == decision.steps.count - 1
      if step.action == .search, step.outcome == .granted, !isLast,
        !seen.insert(step.path).inserted
      {
        return nil
      }
      return (index, step)
    }
  }

  private func cells(_ step: Step) -> [(text: String, tone: Style.Tone?)] {
    let mark: Mark =
      switch (step.outcome, step.action) {
      case _ where words(forOther: step) != nil: .denied
      case (.denied, _) where answer == .undetermined: .undecided
      case (.granted, .followLink): .link
      case (.granted, _): .granted
      case (.denied, _): .denied
      case (.undecided, _): .undecided
      }
    let markCell = (style.unicode ? mark.symbol : mark.word, Optional(mark.tone))
    var name = step.path == "/" ? "/" : String(step.path.split(separator: "/").last ?? "/")
    name = style.safe(name)
    guard let node = step.node else {
      let text = isBehindClosed ? "(not seen)" : "(nothing)"
      return [markCell, (text, .faint), ("", nil), ("", nil), (name, nil), ("", nil)]
    }
    if case .create(let new) = step.action { name += " (create \(style.safe(new)))" }
    if case .followLink(let target) = step.action { name += " -> " + style.safe(target) }
    return [
      markCell, (node.modeText, nil), (names.user(node.uid, style), nil),
      (names.group(node.gid, style), nil), (name, nil), (extra(node, step), .faint),
    ]
  }

  /// Returns what open(2) checks in addition to the mode and the ACL, such as the mount flags.
  private func extra(_ node: Node, _ step: Step) -> String {
    var parts: [String] = []
    if let number = node.rdev { parts.append("device \(number.major):\(number.minor)") }
    if node.flags.contains(.immutable) { parts.append("immutable") }
    if node.flags.contains(.append) { parts.append("append-only") }
    // A later mount at the same path hides an earlier one.
    if let mount = mounts.last(where: { $0.at == step.mount }) {
      let flags = mount.decidingFlags(for: node.type, isExecuting: step.rule == .mountNoexec)
      let isMountPoint = step.mount == step.path && step.path != "/"
      if !flags.isEmpty && (!step.action.isOnTheWay || isMountPoint) {
        let type = style.safe(mount.fstype, limit: 32)
        parts.append("\(type) on \(style.safe(mount.at)): \(flags.joined(separator: ","))")
      } else if isMountPoint {
        parts.append("\(style.safe(mount.fstype, limit: 32))")
      }
    }
    return parts.joined(separator: ", ")
  }

  private func aclLines(_ step: Step, isDeciding: Bool) -> [String] {
    guard let acl = step.node?.acl else { return [] }
    let mask = acl.first { $0.tag == .mask }?.permissions
    // An ACL can have thousands of entries, of which few can affect the answer.
    let shown = acl.indices.filter { index in
      isVerbose || acl.count <= Self.mostEntries || acl[index].id == nil
        || index == decision.entry
    }
    let hidden = acl.count - shown.count
    return shown.map { index in
      let entry = acl[index]
      var line = entry.text(names, style)
      if let mask, entry.isMasked, entry.permissions.intersection(mask) != entry.permissions {
        line += "  #effective:\(entry.permissions.intersection(mask))"
      }
      if isDeciding && index == decision.entry {
        line += "  " + style.paint(style.unicode ? "←" : "<-", .heading)
      }
      return line
    } + (hidden > 0 ? ["and \(hidden) more entries"] : [])
  }

  /// The maximum number of steps in a short text.
  private static let mostSteps = 8
  /// The maximum number of ACL entries in a short text.
  private static let mostEntries = 8

  /// Returns what is said of an object in the place of an absent device; `nil` for any other step.
  private func words(forOther step: Step) -> String? {
    guard answer == .absent, step.path.hasPrefix("/dev/"), !step.action.isOnTheWay,
      let node = step.node
    else { return nil }
    guard node.type.isDevice else { return "this is not a device" }
    return [.nodeOtherDevice, .nodeRenumbered].contains(cause)
      ? "this is not the device's node" : "no device answers at this node"
  }

  /// Returns the lines below the deciding step: the outcome, the rule and the note.
  private func pointer(_ step: Step) -> [String] {
    let indentation = String(repeating: " ", count: style.markWidth + 2)
    let pointer = style.pointer + String(repeating: " ", count: style.markWidth + 1)
    if let words = words(forOther: step) { return [pointer + style.paint(words, .bad)] }
    let (verdict, tone): (String, Style.Tone) =
      switch step.outcome {
      case .granted: ("granted", .good)
      case .denied(let errno):
        answer == .undetermined
          ? ("probably denied (\(errno.name))", .unsure)
          : ("\(step.rule == .walkNoEntry ? "not found" : "denied") (\(errno.name))", .bad)
      case .undecided: ("undetermined", .unsure)
      }
    var text = style.paint(verdict, tone)
    if let rule = step.rule { text += " by \(style.paint(rule.rawValue, .heading))" }
    // The description of a rule states its decision, which an undecided step does not have.
    if case .undecided(let reason) = step.outcome {
      text += ": \(style.safe(reason, limit: 512))"
    } else if let rule = step.rule {
      text += ": \(rule.words)"
    }
    var notes = [text]
    if isVerbose || step.rule == nil, let note = step.note {
      notes.append(style.safe(note, limit: 512))
    }
    return notes.enumerated().flatMap { index, note in
      Wrapping.lines(
        note, width: style.width, first: index == 0 ? pointer : indentation, rest: indentation)
    }
  }
}

extension Mount {
  /// Returns the flags that can prevent an object of the given type from being opened, or from
  /// being executed.
  fileprivate func decidingFlags(for type: FileType, isExecuting: Bool) -> [String] {
    var flags: [String] = []
    if nodev, !superblockNodev, type.isDevice || type == .directory { flags.append("nodev") }
    if superblockNodev && (type.isDevice || type == .directory) {
      flags.append("nodev (superblock)")
    }
    if !type.isDevice {
      if readOnly {
        flags.append("ro")
      } else if superblockReadOnly {
        flags.append("ro (superblock)")
      }
    }
    if nosymfollow { flags.append("nosymfollow") }
    if isExecuting, noexec { flags.append("noexec") }
    if idmap != nil || unobserved.contains(.idmap) { flags.append("idmapped") }
    return flags
  }
}
