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

  func run(_ run: CommandRun) async throws -> ExitStatus {
    let all = DeviceKind.all.filter { $0.subsystem != nil }
    let kinds = kind.map { [$0] } ?? (probing.isOn ? [.camera] : all)
    var lists: [DeviceList] = []
    var facts: AccessFacts?
    var attempts: [Attempt] = []
    for kind in kinds {
      if probing.isOn {
        let opened = run.probed(try await observe(kind, run), isList: true, probing)
        attempts += opened.attempts
        lists.append(DeviceList(kind: kind, listings: try opened.listings(of: kind)))
      } else if subject == SubjectOptions() {
        lists.append(
          DeviceList(kind: kind, listings: try await Contractors().devices.list(kind)))
      } else {
        let observed = try await observe(kind, run)
        facts = observed
        lists.append(DeviceList(kind: kind, listings: try observed.listings(of: kind)))
      }
    }
    let use = await use(of: lists, run)
    if run.json {
      return try run.show(
        json: ListOutput(
          lists, isWhole: kinds.count > 1, facts: facts, attempts: attempts, use: use))
    }
    let heading =
      facts.map { "for " + SubjectText(facts: $0, style: run.style).origin + "\n" } ?? ""
    let text = ListText(
      lists: lists, style: run.style, attempts: probing.isOn ? attempts : nil, use: use)
    return try run.show(heading + text.text)
  }

  /// Returns the users of the devices that serve one program at a time.
  ///
  /// All kinds are scanned at once. The result is `nil` if none of the devices may be opened, or if
  /// their users cannot be determined.
  private func use(of lists: [DeviceList], _ run: CommandRun) async -> UseFacts? {
    let open = lists.filter { list in
      list.kind.servesOneProgram && list.listings.contains { $0.access?.isEmpty == false }
    }
    guard !open.isEmpty else { return nil }
    return try? await Contractors().deviceUsage.useByOthers(of: open.map { .kind($0.kind) }).facts
  }

  /// Observes the devices of a kind for the subject.
  private func observe(_ kind: DeviceKind, _ run: CommandRun) async throws -> AccessFacts {
    try await run.observe(
      Question(.kind(kind), subject: subject.selector, variation: subject.variation))
  }
}
