internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess rules` command.
struct RulesCommand {
  let source: AnswerSource
  var action = "add"
  /// The rule that the user expects to take effect.
  var rule: RuleReference?
}

extension RulesCommand: Command {
  static let declaration = CommandDeclaration(
    name: .rules,
    summary: "show which udev rules apply to a device, and why a rule does not work",
    operand: .deviceOrPath,
    options: [.rule, .action, .from, .json],
    details: """
      Shows the value that each line sets, and what keeps rules from taking effect. Runs no program and \
      changes nothing. FILE is a path, or the name of a file in a udev folder.
      """,
    examples: [
      ("devaccess rules camera", "show which rules set its mode, group and tags"),
      ("devaccess rules /dev/ttyUSB0 --rule 99-my.rules", "find out why a rule has no effect"),
      ("devaccess rules /dev/hidraw3 --rule 70-pad.rules:4", "find out why line 4 has no effect"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    source = try arguments.source()
    if let word = arguments.value(.action) {
      guard RulesAction.words.contains(word) else {
        let list = RulesAction.words.listed(with: "or")
        throw arguments.error("--action takes \(list), not '\(Escaped(word, limit: 80))'")
      }
      action = word
    }
    rule = try arguments.value(.rule).map { (word) throws(UsageError) in
      try Self.rule(word, arguments)
    }
  }

  /// Parses a file name, with an optional line number after its last colon.
  ///
  /// A name may contain a colon, but only a line number can follow the name of a rules file.
  private static func rule(
    _ word: String, _ arguments: CommandArguments
  ) throws(UsageError) -> RuleReference {
    var reference = RuleReference(file: word)
    if let colon = word.utf8.lastIndex(of: UInt8(ascii: ":")) {
      let digits = word[colon...].dropFirst()
      if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        guard let line = Int(digits), line > 0 else {
          throw Self.lineError(digits, arguments)
        }
        reference = RuleReference(file: String(word[..<colon]), line: line)
      } else if !arguments.fileExists(word),
        word[..<colon].hasSuffix(".rules") || arguments.fileExists(String(word[..<colon]))
      {
        throw Self.lineError(digits, arguments)
      }
    }
    guard !reference.file.isEmpty else {
      throw arguments.error("--rule needs the path or the name of a file")
    }
    return reference
  }

  private static func lineError(_ text: Substring, _ arguments: CommandArguments) -> UsageError {
    let word = Escaped(String(text), limit: 80)
    return arguments.error("--rule takes FILE or FILE:LINE; '\(word)' is not a line number")
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    switch source {
    case .machine(var question):
      question.names = .none
      var rule = rule
      if let file = rule?.file, file.utf8.contains(UInt8(ascii: "/")) {
        let path = FileName.absolute(file)
        rule?.file = path
        question.rules = .withFile(path)
      } else {
        question.rules = .all
      }
      return try show(
        try await Contractors().devices.facts(for: question), rule, isFirst: true, context)
    case .file(let path, _, _, let targets):
      return try context.answers(
        in: try InputFile(path, standardInput: context.streams.input), about: targets
      ) { facts, index in
        try show(facts, rule, isFirst: index == 0, context)
      }
    case .example:
      throw CommandFailure("the example does not contain udev rules", .undetermined)
    }
  }

  private func show(
    _ facts: AccessFacts, _ rule: RuleReference?, isFirst: Bool, _ context: CommandRun
  ) throws -> ExitStatus {
    let path = Escaped(facts.access.request.path, limit: 4096)
    if facts.rules == nil || facts.access.verdict().rule == .walkNotDirectory {
      // Report a mistyped path in the same way as the other commands.
      try AnsweredFacts(facts).throwIfPathIsMissing()
    }
    guard let rules = facts.rules else {
      if case .file = source {
        throw CommandFailure("the snapshot does not contain udev rules", .undetermined)
      }
      throw CommandFailure("\(path) is not a device", .absent)
    }
    let node = facts.access.object(at: rules.node)
    if rules.device == nil, node == nil, rules.staticModule == nil {
      throw CommandFailure(
        facts.kind.map { "no \($0) devices" } ?? "\(path): no such file or directory", .absent)
    }
    // Report a device that exists but could not be identified.
    if rules.device == nil, let node {
      let isSeen = facts.devices.contains { $0.node == node.path }
      let reason = isSeen ? "it is not in sysfs" : facts.unseenDevice(at: node.path)
      if let reason {
        throw CommandFailure(
          "cannot identify the device at \(path): \(Escaped(reason, limit: 512))", .undetermined)
      }
    }
    let file = rule?.file(in: rules)
    if let rule, file == nil {
      let name = Escaped(rule.file, limit: 4096)
      throw CommandFailure(
        rule.file.utf8.contains(UInt8(ascii: "/"))
          ? "--rule: \(name): no such file or directory"
          : "--rule: no file named \(name) in the udev rule directories", .absent)
    }
    if let rule, file?.state == .other {
      throw CommandFailure(
        "\(Escaped(rule.file, limit: 4096)) is not a regular file: udevd does not read it",
        .absent)
    }
    guard let answer = facts.ruleAnswer(for: node, action: action, rule: rule) else {
      throw CommandFailure("\(path) is not a device", .absent)
    }
    if let rule, file?.state == .rules, answer.verdicts.isEmpty {
      let name = Escaped(rule.file, limit: 4096)
      throw CommandFailure(
        rule.line.map { "line \($0) of \(name) is not a rule" }
          ?? "\(name) has no rule that sets anything",
        .absent)
    }
    let status = Self.status(answer, rule)
    if context.json {
      return try context.show(json: RulesOutput(answer, rules, status.rawValue), status)
    }
    let text = RulesText(answer: answer, facts: rules, node: node, style: context.style).text
    return try context.show((isFirst ? "" : "\n") + text, status)
  }

  /// Returns the exit status: `allowed` without a rule, otherwise the effect of the rule.
  private static func status(_ answer: RuleAnswer, _ rule: RuleReference?) -> ExitStatus {
    guard rule != nil else { return .allowed }
    return switch answer.effect {
    case .effective:
      switch answer.isPending {
      case true: .refused
      case nil: .undetermined
      case false: .allowed
      }
    case .undetermined: .undetermined
    case .ineffective, nil: .refused
    }
  }
}
