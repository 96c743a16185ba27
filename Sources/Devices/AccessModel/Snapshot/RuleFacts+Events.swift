public import UdevRules

extension RuleFacts {
  /// Returns a hypothetical event of the device; `nil` without a device.
  public func event(_ action: String) -> UdevRuleEvent? {
    guard var device else { return nil }
    device.properties["ACTION"] = UdevRuleText(action)
    return UdevRuleEvent(
      action: UdevRuleText(action), device: device, parents: parents, record: record,
      isInterface: device.properties["IFINDEX"] != nil)
  }

  /// Returns a prediction of how udevd would handle an event of the device; `nil` without a device.
  public func report(_ action: String) -> UdevRuleReport? {
    event(action).map { rules.evaluate($0, environment) }
  }

  /// Returns the facts that are missing for a better prediction of an event.
  public func doubts(_ action: String) -> Set<UdevRuleDoubt> {
    let brief = event(action).map { rules.evaluate($0, environment, isBrief: true) }
    guard let report = brief else { return [] }
    var doubts: Set<UdevRuleDoubt> = []
    for outcome in report.outcomes {
      if case .undetermined(let reasons) = outcome.verdict { doubts.formUnion(reasons) }
    }
    doubts.formUnion(report.effects.compactMap { $0.value?.doubt })
    doubts.formUnion(report.propertyDoubts.values)
    return doubts
  }

  /// The plain names of the attributes that the administrator's own rules test on any device.
  ///
  /// If a rule tests an attribute on the wrong device, it can be fixed only if the right device is
  /// known.
  public var ownAttributes: Set<UdevRuleText> {
    // A fix identifies the device by these attributes.
    var names: Set<UdevRuleText> = ["idVendor", "idProduct", "serial", "index"]
    for file in ownFiles {
      for token in file.lines.lazy.flatMap({ $0.tokens })
      where [.attribute, .parentAttribute, .test].contains(token.key) {
        // A file that a rule tests may be meant to be an attribute.
        guard let name = token.key == .test ? token.value : token.attribute,
          name.isPlainAttribute
        else { continue }
        names.insert(name)
        if names.count >= 64 { return names }
      }
    }
    return names
  }

  /// The administrator's own rule files, and the files that udevd could read but does not.
  ///
  /// udevd does not read a file that has the wrong name, is in the wrong folder, or is hidden by a
  /// file of the administrator.
  var ownFiles: [UdevRuleFile] {
    let own = rules.files.filter { RuleFile.isOwn($0.path) }
    let hidden = Set(
      choice.excluded.compactMap { excluded in
        switch excluded.reason {
        case .replaced(let other), .masked(let other):
          RuleFile.isOwn(other) ? excluded.file.path : nil
        case .suffix: RuleFile.isOwn(excluded.file.folder + "/") ? excluded.file.path : nil
        case .empty: nil
        }
      })
    let unread = files.filter { file in
      file.state == .rules
        && (hidden.contains(file.path) || file.name.begins(with: ".")
          || !UdevRuleFileChoice.isRead(file.folder, by: version))
    }
    return own + unread.map { UdevRuleFile(path: $0.path, bytes: $0.bytes, version: version) }
  }

  /// The users and groups that the administrator's own rules name, as doubts.
  ///
  /// A fixed rule is proven only if these users and groups are known, even if the original rule did
  /// not reach them.
  public var ownNames: Set<UdevRuleDoubt> {
    var names: Set<UdevRuleDoubt> = []
    for file in ownFiles {
      for token in file.lines.lazy.flatMap({ $0.tokens }) {
        switch token.key {
        case .owner, .ownerID: names.insert(.user(token.value))
        case .group, .groupID: names.insert(.group(token.value))
        default: continue
        }
        if names.count >= 64 { return names }
      }
    }
    return names
  }

  /// The folder that udevd searches for programs without a path.
  static let programFolder = "/usr/lib/udev"

  /// The programs without a path that the administrator's own rules run, as files in udev's folder.
  public var ownPrograms: Set<UdevRuleDoubt> {
    var names: Set<UdevRuleDoubt> = []
    for file in ownFiles {
      for token in file.lines.lazy.flatMap({ $0.tokens }) where token.key == .runProgram {
        guard let name = token.value.programName else { continue }
        names.insert(.file(UdevRuleText(exact: "\(Self.programFolder)/\(name)")))
        if names.count >= 64 { return names }
      }
    }
    return names
  }

  /// Returns the result that a built-in command had when the daemon last handled the device.
  ///
  /// The database contains the properties that such a command has set. If it contains none, the
  /// command might not have run, and the result is `nil`. For `hwdb`, the result is a failed run
  /// instead.
  public func pastRun(of command: UdevRuleText) -> UdevRuleEnvironment.Run? {
    guard handled != nil, let record, let builtin = UdevRuleBuiltin(command: command.bytes) else {
      return nil
    }
    let properties: [UdevRuleText: UdevRuleText]
    if let prefixes = builtin.prefixes {
      properties = record.properties.filter { property in
        prefixes.contains { property.key.hasPrefix($0) }
      }
    } else if builtin == .hwdb {
      let others =
        UdevRuleBuiltin.allCases.compactMap(\.prefixes).flatMap(\.self)
        + UdevRuleHelper.allCases.flatMap(\.prefixes)
      let ofRules = assignedProperties
      properties = record.properties.filter { property in
        !ofRules.contains(property.key) && !others.contains { property.key.hasPrefix($0) }
          || property.key.isOfHardwareDatabase
      }
    } else {
      return nil
    }
    guard !properties.isEmpty || builtin == .hwdb else { return nil }
    return UdevRuleEnvironment.Run(succeeds: !properties.isEmpty, properties: properties)
  }

  /// Returns the result that a program of udev had when the daemon last handled the device.
  ///
  /// The result is `nil` for any other program, if the database contains no such properties, or if
  /// a rule also sets such properties.
  public func pastRun(ofProgram command: UdevRuleText) -> UdevRuleEnvironment.Run? {
    guard handled != nil, let record, let helper = UdevRuleHelper(command: command.bytes) else {
      return nil
    }
    func isOfHelper(_ name: UdevRuleText) -> Bool {
      helper.prefixes.contains { name.hasPrefix($0) }
    }
    let properties = record.properties.filter { isOfHelper($0.key) }
    guard !properties.isEmpty, !assignedProperties.contains(where: isOfHelper) else { return nil }
    return UdevRuleEnvironment.Run(succeeds: true, properties: properties)
  }

  /// The properties that any rule sets by name.
  private var assignedProperties: Set<UdevRuleText> {
    var names: Set<UdevRuleText> = []
    for file in rules.files {
      for line in file.lines {
        for token in line.tokens where token.key == .setProperty {
          if let name = token.attribute { names.insert(name) }
        }
      }
    }
    return names
  }
}

extension UdevRuleText {
  /// A Boolean value that indicates whether the text names an attribute of the device itself,
  /// without substitutions.
  fileprivate var isPlainAttribute: Bool {
    !isEmpty && bytes.count < 128
      && bytes.allSatisfy { $0.isLatinLetter || $0.isDecimal || $0 == .underscore }
  }

  fileprivate var isOfHardwareDatabase: Bool {
    bytes.suffix(14).elementsEqual("_FROM_DATABASE".utf8)
  }

  /// The program name at the start of a command; `nil` for a path or a name with substitutions.
  var programName: String? {
    let word = exact.split(separator: " ").first.map(String.init) ?? ""
    guard !word.isEmpty, word.utf8.count <= 64,
      word.utf8.allSatisfy({ $0.isLatinLetter || $0.isDecimal || "_-.+".utf8.contains($0) })
    else { return nil }
    return word
  }

  /// The text as a string that preserves bytes that are not UTF-8.
  var exact: String { ByteText(bytes: bytes).text }

  /// Creates a text from a string that preserves bytes that are not UTF-8.
  init(exact text: String) {
    self.init(ByteText(text).bytes)
  }
}
