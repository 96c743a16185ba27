internal import AccessModel
internal import LinuxDevices

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
