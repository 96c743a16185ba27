internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The `devaccess list` command.
///
/// Without a kind, it lists every kind. In that case `--probe` opens only cameras, because opening
/// other devices can have side effects; for example, opening a serial port can reset the device
/// connected to it.
struct ListCommand {
  /// The kind to list; `nil` for every kind.
  var kind: DeviceKind?
  var probing = Probing.none
  var subject = SubjectOptions()
}

extension ListCommand: Command {
  static let declaration = CommandDeclaration(
    name: .list,
    summary: "list devices and your access to each",
    operand: .optionalKind,
    options: [.probe, .force] + OptionName.subjectOptions + [.json],
    details: """
      Without KIND, lists every kind. Below each device are its nodes, with the access and the role; \
      "likely" or "guess" marks a role that the driver has not confirmed.
      """,
    examples: [("devaccess list serial", "list the serial ports")])

  init(_ arguments: CommandArguments) throws(UsageError) {
    kind = try arguments.operands.first.map { (word) throws(UsageError) in
      try OperandReader.device(word, for: .list)
    }
    probing = Probing(arguments)
    subject = try arguments.subject()
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    let all = DeviceKind.all.filter { $0.subsystem != nil }
    let kinds = kind.map { [$0] } ?? (probing.isOn ? [.camera] : all)
    var lists: [ListedKind] = []
    var facts: AccessFacts?
    var attempts: [Attempt] = []
    for kind in kinds {
      if probing.isOn {
        let opened = context.probed(
          try await observe(kind), isList: true, isAllowed: true, probing)
        attempts += opened.attempts
        lists.append(ListedKind(kind: kind, listings: try opened.listings(of: kind)))
      } else if subject == SubjectOptions() {
        lists.append(
          ListedKind(kind: kind, listings: try await Contractors().devices.list(kind)))
      } else {
        let observed = try await observe(kind)
        facts = observed
        lists.append(ListedKind(kind: kind, listings: try observed.listings(of: kind)))
      }
    }
    let use = await use(of: lists)
    if context.json {
      return try context.show(
        json: ListOutput(
          lists, isWhole: kinds.count > 1, facts: facts, attempts: attempts, use: use))
    }
    let heading =
      facts.map { "for " + SubjectText(facts: $0, style: context.style).origin + "\n" } ?? ""
    let text = ListText(
      lists: lists, style: context.style, attempts: probing.isOn ? attempts : nil, use: use)
    return try context.show(heading + text.text)
  }

  /// Returns the users of the devices that serve one program at a time.
  ///
  /// All kinds are scanned at once. The result is `nil` if none of the devices may be opened, or if
  /// their users cannot be determined.
  private func use(of lists: [ListedKind]) async -> UseFacts? {
    let open = lists.filter { list in
      list.kind.servesOneProgram && list.listings.contains { $0.access?.isEmpty == false }
    }
    guard !open.isEmpty else { return nil }
    return try? await Contractors().deviceUsage.useByOthers(of: open.map { .kind($0.kind) }).facts
  }

  /// Observes the devices of a kind for the subject.
  private func observe(_ kind: DeviceKind) async throws -> AccessFacts {
    try await Contractors().devices.facts(
      for: Question(.kind(kind), subject: subject.selector, variation: subject.variation))
  }
}

/// The devices of one kind, in the order of the list.
struct ListedKind: Sendable {
  /// The nodes of one piece of hardware.
  struct Group: Sendable {
    var listings: [DeviceListing]

    var device: DeviceFacts { listings[0].device }
  }

  let kind: DeviceKind
  let listings: [DeviceListing]

  /// The nodes, grouped by hardware in the order of each group's first node.
  var groups: [Group] {
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    for listing in listings {
      let place = listing.device.hardwarePath
      if let index = indices[place] {
        groups[index].listings.append(listing)
      } else {
        indices[place] = groups.count
        groups.append(Group(listings: [listing]))
      }
    }
    return groups
  }
}

/// The output of `devaccess list`: each device with its nodes below it.
struct ListText: Sendable {
  let lists: [ListedKind]
  let style: Style
  /// The results of the attempts to open the devices; `nil` if no attempts were requested.
  var attempts: [Attempt]?
  /// The users of the devices; `nil` if they were not scanned.
  var use: UseFacts?

  var text: String {
    if lists.count == 1 { return lines(lists[0]).joined(separator: "\n") + "\n" }
    let full = lists.filter { !$0.listings.isEmpty }
    let empty = lists.filter(\.listings.isEmpty).map { style.safe($0.kind.name) }
    var lines = full.flatMap { list in
      [style.paint(style.safe(list.kind.name), .heading)]
        + self.lines(list).map { "  " + $0 } + [""]
    }
    if !empty.isEmpty {
      lines += Wrapping.lines(
        "No devices found for: " + empty.joined(separator: ", "), width: style.width, rest: "  ")
    } else {
      lines.removeLast()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ list: ListedKind) -> [String] {
    let groups = list.groups
    guard !groups.isEmpty else {
      let name = style.safe(list.kind.name)
      let subsystem = style.safe(list.kind.subsystem ?? "none")
      return ["no \(name) devices found in the subsystem \(subsystem)"]
    }
    var columns = Columns()
    for listing in groups.flatMap(\.listings) {
      let device = listing.device
      columns.add(
        [
          (device.node.map { style.safe($0) } ?? "(\(style.safe(device.kernelName)))", nil),
          (listing.accessText, listing.tone),
        ] + opening(of: device) + occupation(of: device) + [
          (device.role == .other ? "" : device.roleText, nil)
        ])
    }
    var rows = columns.lines(style: style)[...]
    let numberWidth = String(groups.count).count
    return groups.enumerated().flatMap { index, group in
      let number = String(index + 1)
      let label = String(repeating: " ", count: numberWidth - number.count) + number + ". "
      let indentation = String(repeating: " ", count: numberWidth + 2)
      let heading = Wrapping.lines(
        group.device.summary(style), width: style.width - 2, first: label, rest: indentation)
      let nodes = rows.prefix(group.listings.count).map { indentation + $0 }
      rows = rows.dropFirst(group.listings.count)
      return heading + nodes
    }
  }

  /// Returns the column with the users of a device; no column if the users were not scanned.
  private func occupation(of device: DeviceFacts) -> [(String, Style.Tone?)] {
    guard let use else { return [] }
    guard let own = use.use(of: device) else { return [("", nil)] }
    let text = OccupationText(own, use.occupation(of: own), style)
    return [(text.text, text.tone)]
  }

  /// Returns the column with the result of opening a device; no column if no attempts were
  /// requested.
  private func opening(of device: DeviceFacts) -> [(String, Style.Tone?)] {
    guard let attempts else { return [] }
    guard let attempt = attempts.first(where: { $0.path == device.node }) else {
      return [("not opened", .unsure)]
    }
    return [
      attempt.errno == 0 ? ("opens", .good) : ("open: \(attempt.errno.name)", .bad)
    ]
  }
}

extension DeviceListing {
  /// The access as `rw`, `r-`, `-w` or `--`, or a note if there is no plain answer.
  ///
  /// The value is `r,w` if reading and writing are allowed, but not in one open. It is `??` if the
  /// access is unknown, `absent` if the node does not exist, and `no node` if the device has none.
  var accessText: String {
    guard device.node != nil else { return "no node" }
    guard let access else { return "??" }
    if isAbsent { return "absent" }
    if access.isSuperset(of: [.read, .write]), !allowsBoth { return "r,w" }
    return (access.contains(.read) ? "r" : "-") + (access.contains(.write) ? "w" : "-")
  }

  fileprivate var tone: Style.Tone {
    guard let access else { return .unsure }
    return allowsBoth ? .good : access.isEmpty ? .bad : .unsure
  }
}

/// The JSON object of `devaccess list`.
struct ListOutput: Encodable {
  /// A device, and the subject's access to it.
  struct Entry: Encodable {
    let listing: DeviceListing
    /// The kind; `nil` if only one kind is listed.
    let kind: String?
    /// The users of the device; `nil` if they were not scanned.
    let use: DeviceUse?
    let occupation: Occupation?

    private enum CodingKeys: String, CodingKey {
      case access, absent, kind, occupation, holders
      case allowsBoth = "read_write"
    }

    func encode(to encoder: any Encoder) throws {
      try DeviceOutput(listing.device).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(kind, forKey: .kind)
      try container.encodeIfPresent(listing.access?.words(for: nil), forKey: .access)
      if listing.isAbsent { try container.encode(true, forKey: .absent) }
      try container.encode(listing.allowsBoth, forKey: .allowsBoth)
      try container.encodeIfPresent(occupation, forKey: .occupation)
      try container.encodeIfPresent(use.map(HolderOutput.all), forKey: .holders)
    }
  }

  let schema = Schema.name
  let command = CommandName.list
  let exitStatus = ExitStatus.allowed.rawValue
  /// The name of the kind, or `all`.
  let kind: String
  /// The subject; `nil` for the calling process without variations.
  let subject: SubjectOutput?
  let devices: [Entry]
  /// The results of the attempts to open devices; `nil` if there were none.
  let attempts: [AttemptOutput]?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case kind, subject, devices, attempts
  }

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - lists: The devices of each kind.
  ///   - isWhole: `true` if several kinds are listed.
  ///   - facts: The facts about the subject; `nil` for the calling process without variations.
  ///   - attempts: The results of the attempts to open devices.
  ///   - use: The users of the devices; `nil` if they were not scanned.
  init(
    _ lists: [ListedKind], isWhole: Bool, facts: AccessFacts? = nil, attempts: [Attempt] = [],
    use: UseFacts? = nil
  ) {
    self.attempts = AttemptOutput.all(attempts)
    subject = facts.map(SubjectOutput.init)
    kind = isWhole ? "all" : lists.first?.kind.name ?? "all"
    devices = lists.flatMap { list in
      list.listings.map { listing in
        let own = use?.use(of: listing.device)
        return Entry(
          listing: listing, kind: isWhole ? list.kind.name : nil, use: own,
          occupation: own.flatMap { use?.occupation(of: $0) })
      }
    }
  }
}
