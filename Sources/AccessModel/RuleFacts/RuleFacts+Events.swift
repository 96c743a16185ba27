extension RuleFacts {
  /// What an event of the device would be; `nil` without a device.
  public func event(_ action: String) -> UdevRuleEvent? {
    guard var device else { return nil }
    device.properties["ACTION"] = UdevRuleText(action)
    return UdevRuleEvent(
      action: UdevRuleText(action), device: device, parents: parents, record: record,
      isInterface: device.properties["IFINDEX"] != nil)
  }

  /// What udevd would make of an event of the device; `nil` without a device.
  public func report(_ action: String) -> UdevRuleReport? {
    event(action).map { rules.evaluate($0, environment) }
  }

  /// What would have to be observed to tell more of an event.
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

  /// The attributes that the administrator's own rules ask of some device, by plain names.
  ///
  /// A rule that asks the wrong device for one can only be mended when the right one is known.
  public var ownAttributes: Set<UdevRuleText> {
    // Those by which our own rules name a device.
    var names: Set<UdevRuleText> = ["idVendor", "idProduct", "serial", "index"]
    for file in ownFiles {
      for token in file.lines.lazy.flatMap({ $0.tokens })
      where [.attribute, .parentAttribute, .test].contains(token.key) {
        // A file that is looked for may be meant to be one.
        guard let name = token.key == .test ? token.value : token.attribute,
          name.isPlainAttribute
        else { continue }
        names.insert(name)
        if names.count >= 64 { return names }
      }
    }
    return names
  }

  /// The administrator's own files, and those that udevd would read under another name, in another
  /// folder, or if none of the administrator's hid them.
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
          || !UdevRuleFileChoice.folders.contains(file.folder))
    }
    return own + unread.map { UdevRuleFile(path: $0.path, bytes: $0.bytes, version: version) }
  }

  /// The users and groups that the administrator's own rules name, as what is not known of them.
  ///
  /// A mended rule is proven only when it is known whom it names, although it did not get so far.
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

  /// The folder in which udevd looks for programs without a path.
  static let programFolder = "/usr/lib/udev"

  /// The programs without a path that the administrator's own rules run, as files of udev's folder.
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

  /// What a built-in command did when the daemon last handled the device.
  ///
  /// The database keeps what such a command set. The answer is `nil` where it kept nothing of that
  /// kind, because the command may not have run.
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

  /// What a program that comes with udev did when the daemon last handled the device.
  ///
  /// The answer is `nil` for any other program, where the database kept nothing of that kind, and
  /// where a rule sets such properties too.
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

  /// The properties that some rule sets by name.
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
  /// Whether it names an attribute of the device itself, without substitutions.
  fileprivate var isPlainAttribute: Bool {
    !isEmpty && bytes.count < 128
      && bytes.allSatisfy { $0.isLatinLetter || $0.isDecimal || $0 == .underscore }
  }

  fileprivate var isOfHardwareDatabase: Bool {
    bytes.suffix(14).elementsEqual("_FROM_DATABASE".utf8)
  }

  /// The text with bytes that are no UTF-8 kept.
  var exact: String { ByteText(bytes: bytes).text }

  /// Takes a text that keeps bytes that are no UTF-8.
  init(exact text: String) {
    self.init(ByteText(text).bytes)
  }
}
