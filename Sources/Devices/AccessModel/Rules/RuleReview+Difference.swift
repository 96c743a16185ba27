internal import UdevRules

extension RuleReview {
  /// Returns the finding that the node differs from the result of the rules.
  func difference(concerning rule: RuleReference?) -> RuleFinding? {
    guard let node, let report, node.unobserved.isDisjoint(with: [.status, .acl]) else {
      return nil
    }
    let made = report.node
    var parts: [(given: String, found: String)] = []
    var subjects: [UdevRuleEffect.Subject] = []
    if let mode = made.mode.known ?? nil, !isSame(UInt16(truncatingIfNeeded: mode), node) {
      parts.append(("mode 0\(String(mode & 0o7777, radix: 8))", "mode \(node.octalMode)"))
      subjects.append(.mode)
    }
    if let group = made.group.known ?? nil, group != node.gid {
      let groups = facts.environment.groups
      parts.append((Self.words("group", group, groups), Self.words("group", node.gid, groups)))
      subjects.append(.group)
    }
    if let owner = made.owner.known ?? nil, owner != node.uid {
      let users = facts.environment.users
      parts.append((Self.words("owner", owner, users), Self.words("owner", node.uid, users)))
      subjects.append(.owner)
    }
    let given = parts.map(\.given).joined(separator: ", ")
    guard !parts.isEmpty else { return rule.flatMap { maskOfSeat(node, $0) } }
    let place = report.effects.last { subjects.contains($0.subject) && $0.fixed == nil }?.place
    if let changing = RuleExemption.changing(report) {
      return RuleFinding(
        .changedAfterwards, at: changing.place,
        """
        The rules give \(node.path) \(given), and then \(changing.place) runs \
        \(changing.text.known?.exact ?? "a command"), which may change it.
        """, fix: rule.flatMap { _ in RuleExemption(facts: facts, action: action).fix })
    }
    let late =
      lateNames.first { subjects.contains($0.effect.subject) }.map {
        """
        , or udevd read \($0.file.path) before \($0.effect.subject == .group ? "group" : "user") \
        \($0.effect.token.value.exact) existed
        """
      } ?? ""
    // A login program sets the owner of a port, and changes its group to tty.
    let isLogin = facts.device?.subsystem == "tty" && node.mode & 0o7777 == 0o620
    let changer = isLogin ? "a login on this port" : "something"
    return RuleFinding(
      .changedAfterwards, at: place,
      """
      The rules give \(node.path) \(given), but it has \
      \(parts.map(\.found).joined(separator: ", ")): \(changer) changed it afterwards, or the \
      rules were changed\(late).
      """, fix: again(isProven: true))
  }

  /// Returns a user or group with its ID, such as `group dialout (20)`.
  private static func words(
    _ kind: String, _ id: UInt32, _ names: [UdevRuleText: UdevRuleFact<UInt32>]
  ) -> String {
    let name =
      id == 0 ? "root" : names.filter { $0.value == .present(id) }.keys.sorted().first?.exact
    return name.map { "\(kind) \($0) (\(id))" } ?? "\(kind) \(id)"
  }

  /// Returns the finding that the ACL mask for the user of the seat replaces the group bits that
  /// the rule sets.
  private func maskOfSeat(_ node: Node, _ rule: RuleReference) -> RuleFinding? {
    guard node.acl != nil, let report, let mode = report.node.mode.known ?? nil,
      node.mode & 0o070 & ~UInt16(truncatingIfNeeded: mode) != 0,
      let set = report.effects.last(where: { $0.subject == .mode && $0.fixed == nil }),
      set.place.path == rule.file(in: facts)?.path, let giving = Self.givingToSeat(report)
    else { return nil }
    return RuleFinding(
      .changedAfterwards, at: giving,
      """
      \(set.place) gives \(node.path) mode 0\(String(mode & 0o7777, radix: 8)), and then \(giving) \
      gives the user of the seat an entry in its access control list, whose mask replaces the bits \
      of the group: it has mode \(node.octalMode).
      """, fix: withoutSeat(node, mode))
  }

  /// Returns the line that gives the device to the user of the seat.
  private static func givingToSeat(_ report: UdevRuleReport) -> UdevRulePlace? {
    report.commands.last { $0.isBuiltin && $0.isCertain && $0.text.known == "uaccess" }?.place
  }

  /// Returns a rule that removes the device's tag immediately before the user of the seat would get
  /// the device.
  private func withoutSeat(_ node: Node, _ mode: UInt32) -> RuleFix? {
    guard let name = facts.device?.plainName else { return nil }
    let subsystem = facts.device?.subsystem?.description ?? ""
    let line = #"SUBSYSTEM=="\#(subsystem)", KERNEL=="\#(name)", TAG-="uaccess""#
    let file = RuleFile(
      folder: "/etc/udev/rules.d", name: "72-\(name)-no-seat.rules",
      bytes: Array((line + "\n").utf8))
    let after = facts.replacing(with: file)
    // A new udevd process may see the former tag, and give access to the device again.
    guard !facts.files.contains(where: { $0.name == file.name }),
      let report = after.report("change"),
      !report.commands.contains(where: { $0.isBuiltin && $0.text.known == "uaccess" }),
      report.node.mode.known == mode
    else { return nil }
    return RuleFix(
      "Remove the uaccess tag from the device, so that the user of the seat gets no access",
      [
        "printf '%s\\n' \(line.shellQuoted) > \(file.path.shellQuoted)",
        // Without this command, the entry would remain, and the group bits would still show the
        // mask.
        "setfacl --remove-all \(node.path.shellQuoted)",
      ] + RuleEvent(facts: after, action: "change").commands, line: line, isProven: true)
  }

  /// Returns `true` if two modes are equal, ignoring the group bits if they are the mask of an ACL.
  func isSame(_ mode: UInt16, _ node: Node) -> Bool {
    let bits: UInt16 = node.acl == nil ? 0o7777 : 0o7707
    return mode & bits == node.mode & bits
  }
}

/// Excludes one device from rules whose commands change its node after udev has set the
/// permissions.
struct RuleExemption {
  let facts: RuleFacts
  let action: String

  /// The maximum number of lines to change.
  private static let most = 4

  /// Returns the last command of a rule that changes nodes.
  static func changing(_ report: UdevRuleReport) -> UdevRuleReport.Command? {
    report.commands.last { command in
      guard !command.isBuiltin, let text = command.text.known else { return false }
      // udevd does not run such a command without a path.
      return text.changesNodes && !RuleProof.nodePrograms.contains(text.programName ?? "")
    }
  }

  /// A fix that excludes the device from the lines that run such commands.
  ///
  /// It is `nil` if these lines do more than that, or cannot be changed one by one.
  var fix: RuleFix? {
    guard let name = facts.device?.plainName, let before = facts.report(action) else { return nil }
    var after = facts
    var commands: [String] = []
    var places: [String] = []
    for _ in 0..<Self.most {
      guard let report = after.report(action), let command = Self.changing(report) else { break }
      guard let state = exempted(name, at: command.place, after) else { return nil }
      after = state.applied(to: after)
      commands += state.commands
      places.append("\(command.place)")
    }
    guard !places.isEmpty, let report = after.report(action), Self.changing(report) == nil,
      report.node == before.node
    else { return nil }
    let isSame = after.report("change").map {
      $0.node == report.node && Self.changing($0) == nil
    }
    return RuleFix(
      "Except \(name) from \(places.joined(separator: " and "))",
      commands + RuleEvent(facts: after, action: isSame == true ? "change" : action).commands,
      isProven: true)
  }

  private func exempted(
    _ name: String, at place: UdevRulePlace, _ facts: RuleFacts
  ) -> RuleFileState? {
    guard let file = facts.file(at: place.path),
      let line = facts.rules.files.first(where: { $0.path == place.path })?.lines
        .first(where: { $0.number == place.line }),
      // The exclusion would also prevent any other effect of the line.
      line.jump == nil, line.label == nil,
      !line.tokens.contains(where: \.key.changesEvent),
      line.tokens.filter({ !$0.key.isMatch }).map(\.key) == [.runProgram]
    else { return nil }
    var state = RuleFileState(file, numbers: line.numbers)
    guard let bytes = state.line, var text = RuleLineText(bytes) else { return nil }
    guard let match = RuleLineText(Array(#"KERNEL!="\#(name)""#.utf8)) else { return nil }
    text.parts.insert(contentsOf: match.parts, at: 0)
    state.rewrite(text)
    return state
  }
}

extension UdevRuleDevice {
  /// The kernel name of the device; `nil` if a pattern with the name would have another meaning.
  var plainName: String? {
    let text = name.description
    let isPlain = text.utf8.allSatisfy {
      $0.isLatinLetter || $0.isDecimal || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    return isPlain && !text.isEmpty ? text : nil
  }
}
