internal import AccessModel

/// The JSON object of one line of `devaccess watch --use --json`.
struct UseLineOutput: Encodable {
  /// The program that a line is about.
  struct Program: Encodable {
    let name: String?
    let id: Int32?
    let user: UInt32?
    let userName: String?
    let executable: String?
    let unit: String?
    let unitUser: UInt32?
    let container: String?
    let application: String?
    let through: String?
    let isActive: Bool

    private enum CodingKeys: String, CodingKey {
      case name
      case id = "pid"
      case user = "uid"
      case userName = "user"
      case executable, unit, container, application, through
      case unitUser = "unit_uid"
      case isActive = "active"
    }

    init(_ program: DeviceUser, isActive: Bool) {
      let process = program.process
      var server: HoldingProcess?
      if case .client(_, let through) = program { server = through }
      name = program.name
      id = program.processID
      user = process?.user
      userName = process?.userName
      executable = process?.executable
      unit = process?.unit
      unitUser = process?.unitUser
      container = process?.container
      application = program.application
      through = server?.name
      self.isActive = isActive
    }
  }

  private let line: UseLine

  private enum CodingKeys: String, CodingKey {
    case schema, command, event, time, node, kind, name, program, use, occupation, holders, gaps
    case askedAs = "asked_as"
    case unnamedHolders = "unnamed_holders"
  }

  init(_ line: UseLine) { self.line = line }

  func encode(to encoder: any Encoder) throws {
    let device = line.device
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Schema.name, forKey: .schema)
    try values.encode(CommandName.watch, forKey: .command)
    try values.encode(line.event, forKey: .event)
    try values.encode(line.time.text, forKey: .time)
    try values.encodeIfPresent(line.node, forKey: .node)
    if !device.askedAs.isEmpty { try values.encode(device.askedAs, forKey: .askedAs) }
    try values.encodeIfPresent(line.kind, forKey: .kind)
    try values.encodeIfPresent(device.device?.name, forKey: .name)
    try values.encodeIfPresent(
      line.user.map { Program($0, isActive: line.isUserActive == true) }, forKey: .program)
    if let use = line.use {
      try values.encode(use, forKey: .use)
      try values.encodeIfPresent(line.occupation, forKey: .occupation)
      try values.encode(HolderOutput.all(device), forKey: .holders)
      try values.encode(device.unnamedHolders, forKey: .unnamedHolders)
    }
    try values.encode(line.gaps.map(WatchOutput.Gap.init), forKey: .gaps)
  }
}
