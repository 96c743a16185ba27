internal import AccessModel

/// The subject that a command line selects with `--user`, `--pid` or `--unit`, and its variations.
struct SubjectOptions: Equatable, Sendable {
  var selector = SubjectSelector.ownProcess
  var variation = SubjectVariation()

  /// Selects the calling process without variations.
  init() {}

  /// Parses the options that select the subject and its variations.
  ///
  /// - Throws: ``UsageError`` if more than one subject is given, a value is invalid, or two
  ///   variations contradict each other.
  init(_ parsed: ParsedArguments, _ command: CommandName) throws(UsageError) {
    let given = OptionName.subjects.filter(parsed.contains)
    guard given.count < 2 else {
      throw UsageError(
        "--\(given[0].rawValue) and --\(given[1].rawValue) cannot be used together",
        command: command)
    }
    if let name = given.first {
      guard parsed.options.count(where: { $0.name == name }) == 1 else {
        throw UsageError(
          "--\(name.rawValue) can be given only once; run the command once for each \(name.subject)",
          command: command)
      }
      selector = try Self.selector(name, parsed.value(name) ?? "", command)
    }
    for (name, value) in parsed.options {
      switch name {
      case .groups: try takeGroups(value ?? "", command)
      case .withCapabilities:
        variation.addedCapabilities.formUnion(try Self.capabilities(value ?? "", name, command))
      case .withoutCapabilities:
        variation.removedCapabilities.formUnion(try Self.capabilities(value ?? "", name, command))
      default: break
      }
    }
    let both = variation.addedCapabilities.intersection(variation.removedCapabilities)
    if let capability = both.members.first {
      throw UsageError(
        "cap_\(capability.name) is in both --with-cap and --without-cap", command: command)
    }
  }

  /// The maximum length of a user, group or unit name, in bytes.
  private static let longestName = 256

  private static func selector(
    _ name: OptionName, _ word: String, _ command: CommandName
  ) throws(UsageError) -> SubjectSelector {
    guard !word.isEmpty else {
      throw UsageError("--\(name.rawValue) has an empty value", command: command)
    }
    guard word.utf8.count <= longestName else {
      throw UsageError(
        "the value of --\(name.rawValue) is longer than \(longestName) bytes", command: command)
    }
    switch name {
    case .user: return .user(word)
    case .unit:
      guard isServiceName(word) else {
        throw UsageError(
          "--unit takes the name of a service, such as motion.service, not "
            + "'\(Escaped(word, limit: 80))'", command: command)
      }
      return .unit(word)
    default:
      guard let number = Int32(word), number > 0, word.utf8.first != UInt8(ascii: "+") else {
        throw UsageError(
          "--pid takes a process ID, not '\(Escaped(word, limit: 80))'",
          command: command)
      }
      return .process(number)
    }
  }

  /// Returns whether a service that can be started may have the name; a bare template is not
  /// accepted.
  private static func isServiceName(_ word: String) -> Bool {
    let others = [
      "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope",
    ]
    let stem = word.hasSuffix(".service") ? String(word.dropLast(8)) : word
    return !stem.isEmpty && !stem.hasPrefix("@") && !stem.hasSuffix("@")
      && !others.contains { word.hasSuffix("." + $0) }
      && stem.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: ":-_.\\@".utf8.contains(byte)
        }
      }
  }

  /// Parses a value of `--groups`.
  ///
  /// `a,b` replaces the supplementary groups, `+a` adds a group, and `-a` removes one. An empty
  /// list removes all groups.
  private mutating func takeGroups(_ list: String, _ command: CommandName) throws(UsageError) {
    if list.isEmpty {
      variation.groups = []
      return
    }
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      let sign = item.first
      let name = String(sign == "+" || sign == "-" ? item.dropFirst() : item)
      guard !name.isEmpty, name.utf8.count <= Self.longestName else {
        throw UsageError(
          "--groups takes names or numbers separated by commas, each with or without + or -, "
            + "not '\(Escaped(list, limit: 80))'", command: command)
      }
      switch sign {
      case "+": variation.addedGroups.append(name)
      case "-": variation.removedGroups.append(name)
      default: variation.groups = (variation.groups ?? []) + [name]
      }
    }
    if let name = variation.addedGroups.first(where: variation.removedGroups.contains) {
      throw UsageError(
        "--groups both adds and removes '\(Escaped(name, limit: 80))'", command: command)
    }
  }

  /// Parses a list of the names that cap_from_name(3) accepts, with or without `cap_`.
  private static func capabilities(
    _ list: String, _ name: OptionName, _ command: CommandName
  ) throws(UsageError) -> CapabilitySet {
    var set = CapabilitySet()
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let capability = Capability(name: String(word)) else {
        throw UsageError(
          "--\(name.rawValue): unknown capability '\(Escaped(String(word), limit: 80))'; "
            + "capabilities(7) lists them, such as cap_dac_override", command: command)
      }
      set.formUnion([capability])
    }
    return set
  }
}

extension SubjectOptions {
  /// The options that select this subject; empty for the calling process without variations.
  var words: [String] {
    let named: [String] =
      switch selector {
      case .ownProcess: []
      case .user(let name): ["--user=\(name)"]
      case .process(let number): ["--pid=\(number)"]
      case .unit(let name): ["--unit=\(name)"]
      }
    // An empty list needs its own option, because a list with other items would contain an empty
    // name.
    let emptied = variation.groups == [] ? ["--groups="] : []
    let groups =
      (variation.groups ?? []) + variation.addedGroups.map { "+" + $0 }
      + variation.removedGroups.map { "-" + $0 }
    func list(_ option: String, _ items: [String]) -> [String] {
      items.isEmpty ? [] : ["--\(option)=\(items.joined(separator: ","))"]
    }
    return named + emptied + list("groups", groups)
      + list("with-cap", variation.addedCapabilities.members.map(\.name))
      + list("without-cap", variation.removedCapabilities.members.map(\.name))
  }
}
