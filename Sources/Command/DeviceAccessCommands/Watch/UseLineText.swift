internal import AccessModel

/// A line of `devaccess watch --use` as human-readable text.
struct UseLineText: Sendable {
  let line: UseLine
  let style: Style

  var text: String {
    let time = style.paint(line.time.localText(), .faint)
    guard let node = line.node else { return "\(time) no \(line.kind ?? "device") yet\n" }
    return "\(time) \(style.safe(node, limit: 4096)) \(words)\n"
  }

  private var words: String {
    switch line.event {
    case .state: occupation
    case .absent: "does not exist"
    case .added:
      // Other processes may have kept the device open while it had no node.
      "was added" + (line.device.device?.name.map { ": \(style.safe($0))" } ?? "")
        + (line.device.isHeld ? "; \(occupation)" : "")
    case .removed: "was removed"
    case .opened: "opened by \(user)\(role)"
    case .closed: "closed by \(user); \(occupation)"
    case .hidden: "no longer visible: \(user), which may still have it open; \(occupation)"
    case .executed: "now open in \(user)\(role)"
    case .started: "streams to \(user)"
    case .stopped: "no longer streams to \(user)"
    case .unknown: "no user found: a program that is not visible may have opened it"
    case .free: "free"
    }
  }

  private var occupation: String {
    OccupationText(line.device, line.occupation, style).text
  }

  /// The description of the user, such as `cheese (4711) of alice in app-cheese.scope`.
  private var user: String {
    switch line.user {
    case .holder(let holder):
      return named(holder.process.name, holder.process.id) + belonging(HolderText(holder, style))
    case .client(let client, let server):
      return named(client.name, client.processID) + belonging(HolderText(client, style))
        + " through \(style.safe(server.name, limit: 32))"
    case .unnamed, nil: return "a program that cannot be identified"
    }
  }

  private func belonging(_ words: HolderText) -> String {
    (words.user.map { " of \($0)" } ?? "") + (words.place.map { " in \($0)" } ?? "")
  }

  /// The role of the program, if it is not an ordinary user of the device.
  private var role: String {
    guard case .holder(let holder) = line.user else { return "" }
    if line.device.direction(of: holder) == .feeds {
      return line.device.directionText(of: holder).map { ", which \($0)" } ?? ""
    }
    return holder.process.isMediaServer ? ", a media server" : ""
  }

  private func named(_ name: String, _ process: Int32?) -> String {
    style.safe(name, limit: 32) + (process.map { " (\($0))" } ?? "")
  }
}

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
