internal import AccessModel

extension CommandArguments {
  /// Returns the source of the facts: this machine, a snapshot or the example.
  ///
  /// - Throws: ``UsageError``.
  func source() throws(UsageError) -> FactsSource {
    let others = [OptionName.from, .example].filter(parsed.contains)
    guard let other = others.first else { return .machine(try questions()[0]) }
    if let name = OptionName.subjectOptions.first(where: parsed.contains) {
      throw error(
        "--\(name.rawValue) cannot be used with --\(other.rawValue): "
          + "the snapshot already names the subject")
    }
    guard others.count == 1 else { throw exclusion(.from, .example) }
    if other == .example {
      if let word = operands.first {
        throw error(
          "unexpected argument '\(Escaped(word, limit: 80))': "
            + "--example contains the question")
      }
      if let option = (OptionName.accessOptions + [.probe]).first(where: parsed.contains) {
        throw error("--example takes no --\(option.rawValue)")
      }
      return .example
    }
    if parsed.contains(.probe) {
      throw error("--probe opens devices of this machine; it cannot be used with a snapshot")
    }
    // A word without a slash must name a kind, because local files do not matter for a snapshot.
    let targets = try operands.map { (word) throws(UsageError) in
      let target = try OperandReader.target(word, for: declaration.name) { _ in false }
      if case .kind(let kind) = target { try checkAccess(to: kind, try purpose()) }
      return target
    }
    return .file(
      parsed.value(.from) ?? "-", wanted: wanted, purpose: try purpose(), about: targets)
  }

  /// Returns the questions about this machine, one for each operand.
  ///
  /// - Throws: ``UsageError``, also if there are no operands.
  func questions() throws(UsageError) -> [Question] {
    guard !operands.isEmpty else {
      throw error(
        "specify a kind or path, such as 'devaccess \(declaration.name.rawValue) camera'")
    }
    return try operands.map { (word) throws(UsageError) in try question(about: word) }
  }

  private func question(about word: String) throws(UsageError) -> Question {
    let purpose = try purpose()
    // A file that is to be created need not exist.
    let target = try OperandReader.target(word, for: declaration.name) {
      purpose == .create || fileExists($0)
    }
    var wanted = wanted
    if case .kind(let kind) = target {
      try checkAccess(to: kind, purpose)
      // To read or write files below a directory, a program also needs search permission on it.
      if kind.subsystem == nil, wanted != nil { wanted?.insert(.search) }
    }
    let subject = try subject()
    return Question(
      target, wanted: wanted, purpose: purpose, subject: subject.selector,
      variation: subject.variation)
  }

  private func checkAccess(
    to kind: DeviceKind, _ purpose: Question.Purpose
  ) throws(UsageError) {
    let noun = kind.subsystem == nil ? "directory" : "device"
    let forFiles = [OptionName.append, .execute].first(where: parsed.contains)
    if let option = forFiles {
      throw error("--\(option.rawValue) is for files, and \(kind.name) is a \(noun)")
    }
    let forDirectories = [OptionName.list, .create].first(where: parsed.contains)
    if let option = forDirectories, kind.subsystem != nil {
      throw error(
        "--\(option.rawValue) is for directories and files, and \(kind.name) is a \(noun)")
    }
  }

  /// Returns the purpose that the options name.
  private func purpose() throws(UsageError) -> Question.Purpose {
    let purposes: [(OptionName, Question.Purpose)] = [
      (.list, .list), (.create, .create), (.append, .append),
    ]
    let given = purposes.filter { parsed.contains($0.0) }
    guard let (name, purpose) = given.first else {
      return parsed.contains(.search) ? .search : .use
    }
    // Appending includes writing, and a file can be opened for both reading and appending.
    let others: [OptionName] =
      purpose == .append ? [.search, .execute] : [.read, .write, .search, .execute]
    if let other = (given.dropFirst().map(\.0) + others.filter(parsed.contains)).first {
      throw exclusion(name, other)
    }
    return purpose
  }

  /// The access that the options name; `nil` without such an option.
  private var wanted: Permissions? {
    var wanted: Permissions = []
    if parsed.contains(.read) { wanted.insert(.read) }
    if parsed.contains(.write) || parsed.contains(.append) { wanted.insert(.write) }
    if parsed.contains(.search) { wanted.insert(.search) }
    if parsed.contains(.execute) { wanted.insert(.execute) }
    return wanted.isEmpty ? nil : wanted
  }

  private func exclusion(_ one: OptionName, _ other: OptionName) -> UsageError {
    error("--\(one.rawValue) and --\(other.rawValue) cannot be used together")
  }
}
