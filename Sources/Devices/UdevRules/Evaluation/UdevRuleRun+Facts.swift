extension UdevRuleRun {
  /// A device that a text names by its subsystem and name, with an optional path below the device.
  ///
  /// An example is `[dmi/id]product_name`.
  enum Reference {
    /// The text does not have this form.
    case none
    /// The device does not exist.
    case missing
    case unknown(UdevRuleDoubt)
    case device(UdevRuleDevice, rest: UdevRuleText?)
  }

  func reference(_ text: [UInt8]) -> Reference {
    guard text.first == UInt8(ascii: "["), let slash = text.firstIndex(of: .slash),
      let end = text[slash...].firstIndex(of: UInt8(ascii: "]"))
    else { return .none }
    let name = UdevRuleText(Array(text[1..<end]))
    var rest = text[(end + 1)...]
    if rest.first == .slash { rest = rest.dropFirst() }
    switch environment.devices[name] {
    case nil: return .unknown(.device(name))
    case .absent: return .missing
    case .present(let device):
      return .device(device, rest: rest.isEmpty ? nil : UdevRuleText(Array(rest)))
    }
  }

  /// Reads an attribute of a device.
  mutating func attribute(_ name: UdevRuleText, of device: UdevRuleDevice) -> UdevRuleKnown<
    UdevRuleFact<UdevRuleText>
  > {
    let path = UdevRuleText(device.path.bytes + [.slash] + name.bytes)
    // udevd does not read an attribute twice. If the first read follows a write, the value is
    // unknown.
    if writtenAttributes.contains(path), !readAttributes.contains(path) {
      return .unknown(.writtenAttribute(name))
    }
    readAttributes.insert(path)
    guard let fact = device.attribute(name) else {
      return .unknown(.attribute(name, device: device.path))
    }
    return .value(fact)
  }

  /// Reads a property of the device.
  mutating func property(_ name: UdevRuleText) -> UdevRuleKnown<UdevRuleText?> {
    // An uncertain import may have set one of these properties.
    if case .unknown(let doubt) = properties[name], Self.derived.contains(name) {
      return .unknown(doubt)
    }
    refreshLists()
    return listProperties[name] ?? properties[name]
  }

  /// Updates the properties that list links and tags; if a list is empty, its property does not
  /// change.
  private mutating func refreshLists() {
    guard listsAreOld else { return }
    listsAreOld = false
    refresh("DEVLINKS", links) { $0 }
    refresh("TAGS", tags) { UdevRuleText([Self.colon] + $0.bytes + [Self.colon]) }
    refresh("CURRENT_TAGS", currentTags) { UdevRuleText([Self.colon] + $0.bytes + [Self.colon]) }
  }

  private static let colon = UInt8(ascii: ":")

  private mutating func refresh(
    _ name: UdevRuleText, _ members: UdevRuleMembers, _ text: (UdevRuleText) -> UdevRuleText
  ) {
    guard members.isKnown else {
      listProperties[name] = .unknown(members.others ?? .order)
      return
    }
    guard members.count > 0 else { return }
    listProperties[name] = members.only.map { .value(text($0)) } ?? .unknown(.order)
  }

  /// Sets or removes a property of the device.
  mutating func set(
    _ name: UdevRuleText, _ value: UdevRuleKnown<UdevRuleText?>, _ certainty: UdevRuleCertainty
  ) {
    let value = kept(value)
    properties.set(name, value, certainty, lineDoubt)
    if name.bytes.first != UInt8(ascii: ".") {
      database.set(name, value, certainty, lineDoubt)
    }
  }

  /// Returns the value that a property has after a line has set it.
  func kept(_ value: UdevRuleKnown<UdevRuleText?>) -> UdevRuleKnown<UdevRuleText?> {
    let keepsAll = environment.version.keepsEmptyProperties
    guard case .value(let text?) = value, keepsAll != true else { return value }
    if text.isEmpty { return keepsAll == nil ? .unknown(.version) : .value(nil) }
    return text.isPrintable ? value : .unknown(.version)
  }

  /// Marks as unknown the properties that a command may have set.
  mutating func doubtProperties(_ prefixes: [UdevRuleText]?, _ doubt: UdevRuleDoubt) {
    properties.doubt(prefixes: prefixes, doubt)
    database.doubt(prefixes: prefixes, doubt)
  }

  /// Returns a path below `/proc/sys`, whether slashes or dots separate its parts.
  static func settingPath(_ text: [UInt8]) -> UdevRuleText {
    let dot = UInt8(ascii: ".")
    var bytes = text
    if bytes.first(where: { $0 == .slash || $0 == dot }) == dot {
      bytes = bytes.map { $0 == dot ? .slash : $0 == .slash ? dot : $0 }
    }
    let parts = bytes.split(separator: .slash).filter { !$0.elementsEqual([dot]) }
    return UdevRuleText(Array(parts.joined(separator: [.slash])))
  }

  /// Splits the output of a program or the contents of a file into properties.
  static func assignments(_ text: UdevRuleText) -> [(name: UdevRuleText, value: UdevRuleText)] {
    text.bytes.split { $0 == 10 || $0 == 13 || $0 == 0 }.compactMap { line in
      let line = Array(line).trimming
      guard line.first != UInt8(ascii: "#"), let equals = line.firstIndex(of: UInt8(ascii: "="))
      else { return nil }
      let name = Array(line[..<equals]).trimming
      var value = Array(line[(equals + 1)...]).trimming
      guard !name.isEmpty, let first = value.first else { return nil }
      if first == .quote || first == UInt8(ascii: "'") {
        guard value.count > 1, value.last == first else { return nil }
        value = Array(value[1..<(value.count - 1)])
      }
      return (UdevRuleText(name), UdevRuleText(value))
    }
  }

  /// Returns the value of an option on the kernel command line.
  ///
  /// If the option occurs several times, the last value counts. An option without a value has the
  /// value `1`.
  static func option(_ name: UdevRuleText, in commandLine: UdevRuleText) -> UdevRuleText? {
    var found: UdevRuleText?
    var isBare = false
    var word: [UInt8] = []
    var quote: UInt8?
    func relaxed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
      bytes.map { $0 == UInt8(ascii: "-") ? .underscore : $0 }
    }
    func end() {
      defer { word = [] }
      guard relaxed(word.prefix(name.bytes.count)) == relaxed(name.bytes) else { return }
      let rest = word.dropFirst(name.bytes.count)
      if rest.isEmpty {
        isBare = isBare || !word.isEmpty
      } else if rest.first == UInt8(ascii: "=") {
        found = UdevRuleText(Array(rest.dropFirst()))
      }
    }
    for byte in commandLine.bytes {
      if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
      } else if byte == .quote || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte.isBlank {
        end()
      } else {
        word.append(byte)
      }
    }
    end()
    return found ?? (isBare ? "1" : nil)
  }
}
