internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess users` command.
struct UsersCommand {
  /// The targets as the user typed them; empty for the default ones.
  var words: [String] = []
  var targets: [Question.Target] = []
  var isVerbose = false
}

extension UsersCommand: Command {
  static let declaration = CommandDeclaration(
    name: .users,
    summary: "show which processes have a device open",
    operand: .devicesOrPaths,
    options: [.verbose, .json],
    details: """
      Without KIND or PATH, examines cameras and microphones. Does not open any device. Without root, \
      processes of other users are counted but not listed.
      """,
    examples: [
      ("devaccess users camera", "show which processes have a camera open"),
      ("sudo devaccess users /dev/ttyUSB0", "include processes of other users"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    words = arguments.operands
    targets = try arguments.devices()
    isVerbose = arguments.contains(.verbose)
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    let kinds = CommandArguments.usualDevices
    let use = try await Contractors().deviceUsage.useByOthers(
      of: targets.isEmpty ? kinds : targets)
    let answer = UsersAnswer(
      facts: use.facts, targets: targets.isEmpty ? kinds : targets, failures: use.failures,
      isUsual: targets.isEmpty)
    for failure in use.failures { context.streams.report(CommandFailure(failure).message) }
    if context.json { return try context.show(json: UsersOutput(answer), answer.status) }
    let text = UsersText(answer: answer, words: words, isVerbose: isVerbose, style: context.style)
    return try context.show(text.text, answer.status)
  }
}

/// The users of the requested devices.
struct UsersAnswer: Sendable {
  let facts: UseFacts
  let targets: [Question.Target]
  /// The errors for devices that could not be inspected.
  var failures: [DeviceError] = []
  /// A Boolean value that indicates whether the default kinds are shown.
  ///
  /// If so, a kind without devices is not a failure.
  var isUsual = false

  /// The requested kinds that have no device.
  var absentKinds: [DeviceKind] {
    targets.compactMap { target in
      guard case .kind(let kind) = target else { return nil }
      return facts.devices.contains { $0.kind == kind.name } ? nil : kind
    }
  }

  /// The highest exit status of the devices, the kinds and the failures.
  var status: ExitStatus {
    failures.map { CommandFailure($0).status }.reduce(statusOfFacts, max)
  }

  private var statusOfFacts: ExitStatus {
    let isAbsent = isUsual ? facts.devices.isEmpty : !absentKinds.isEmpty
    if isAbsent { return .absent }
    return facts.devices.contains { facts.state(of: $0) == .unknown } ? .undetermined : .allowed
  }
}

/// The JSON object of `devaccess users`.
struct UsersOutput: Encodable {
  /// A device, and the processes that hold it.
  struct Device: Encodable {
    let node: String
    let askedAs: [String]?
    let kind: String?
    let name: String?
    let number: DeviceNumber?
    let use: UseState
    let occupation: Occupation
    let holders: [HolderOutput]
    let unnamedHolders: Int
    let isToldByDriver: Bool

    private enum CodingKeys: String, CodingKey {
      case node, kind, name, number, use, occupation, holders
      case askedAs = "asked_as"
      case unnamedHolders = "unnamed_holders"
      case isToldByDriver = "told_by_driver"
    }
  }

  /// The processes that could not be inspected.
  struct Unseen: Encodable {
    let count: Int
    let isAtLeast: Bool
    let reasons: [UnseenProcesses.Reason]

    private enum CodingKeys: String, CodingKey {
      case count
      case isAtLeast = "at_least"
      case reasons
    }
  }

  /// A path that could not be inspected.
  struct Failure: Encodable {
    let path: String?
    let error: String
    let exitStatus: Int32

    private enum CodingKeys: String, CodingKey {
      case path, error
      case exitStatus = "exit_status"
    }

    init(_ error: DeviceError) {
      let failure = CommandFailure(error)
      path = error.path
      self.error = failure.message
      exitStatus = failure.status.rawValue
    }
  }

  let schema = Schema.name
  let command = CommandName.users
  let exitStatus: Int32
  let observedAt: Int64?
  let devices: [Device]
  let unseen: Unseen
  /// The requested kinds that have no device.
  let absentKinds: [String]
  /// The failures; `nil` if everything could be inspected.
  let errors: [Failure]?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case observedAt = "observed_at"
    case devices, unseen
    case absentKinds = "absent_kinds"
    case errors
  }

  init(_ answer: UsersAnswer) {
    let facts = answer.facts
    exitStatus = answer.status.rawValue
    observedAt = facts.observedAt
    absentKinds = answer.absentKinds.map(\.name)
    errors = answer.failures.isEmpty ? nil : answer.failures.map(Failure.init)
    unseen = Unseen(
      count: facts.unseen.count, isAtLeast: facts.unseen.isAtLeast,
      reasons: facts.unseen.reasons.sorted { $0.rawValue < $1.rawValue })
    devices = facts.devices.map { use in
      Device(
        node: use.node, askedAs: use.askedAs.isEmpty ? nil : use.askedAs, kind: use.kind,
        name: use.device?.name, number: use.number,
        use: facts.state(of: use), occupation: facts.occupation(of: use),
        holders: HolderOutput.all(use),
        unnamedHolders: use.unnamedHolders, isToldByDriver: use.isToldByDriver)
    }
  }
}
