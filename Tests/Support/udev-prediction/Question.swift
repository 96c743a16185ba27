internal import UdevRules

/// Rules files, and events to which they are applied.
struct Question: Decodable {
  struct File: Decodable {
    let path: String
    let text: BytesText
  }

  struct Device: Decodable {
    let path: BytesText
    let subsystem: BytesText?
    let driver: BytesText?
    let node: BytesText?
    let major: UInt32?
    let minor: UInt32?
    // A null value means that the attribute cannot be read. Attributes that are not listed do not
    // exist.
    let attributes: [String: BytesText?]
    let properties: [String: BytesText]
    let tags: [BytesText]?
    let currentTags: [BytesText]?

    var device: UdevRuleDevice {
      var number: UdevRuleDevice.Number?
      if let major, let minor { number = UdevRuleDevice.Number(major: major, minor: minor) }
      return UdevRuleDevice(
        path: path.text, subsystem: subsystem?.text, driver: driver?.text, node: node?.text,
        number: number, attributes: attributes.facts, attributesAreComplete: true,
        properties: properties.texts, tags: Set((tags ?? []).map(\.text)),
        currentTags: currentTags.map { Set($0.map(\.text)) })
    }
  }

  struct Event: Decodable {
    let action: BytesText
    let device: Device
    let parents: [Device]
    let recorded: [String: BytesText]
    let tags: [BytesText]
    let currentTags: [BytesText]
    let links: [BytesText]
    let isInterface: Bool

    var event: UdevRuleEvent {
      UdevRuleEvent(
        action: action.text, device: device.device, parents: parents.map(\.device),
        record: UdevRuleEvent.Record(
          properties: recorded.texts, tags: Set(tags.map(\.text)),
          currentTags: Set(currentTags.map(\.text)), links: Set(links.map(\.text))),
        isInterface: isInterface)
    }
  }

  struct Program: Decodable {
    let succeeds: Bool
    let output: BytesText
  }

  struct Environment: Decodable {
    let commandLine: BytesText?
    let constants: [String: BytesText]
    let settings: [String: BytesText?]
    let files: [String: UInt32?]
    let contents: [String: BytesText?]
    let users: [String: UInt32?]
    let groups: [String: UInt32?]
    let devices: [String: Device?]
    let programs: [String: Program]
    // Null if unknown.
    let isNewProcess: Bool?

    func environment(_ version: UdevRuleVersion) -> UdevRuleEnvironment {
      var environment = UdevRuleEnvironment(version: version)
      environment.commandLine = commandLine?.text
      environment.isNewProcess = isNewProcess
      environment.constants = constants.texts
      environment.settings = settings.facts
      environment.files = files.numbers
      environment.contents = contents.facts
      environment.users = users.numbers
      environment.groups = groups.numbers
      for (name, device) in devices {
        environment.devices[BytesText.text(name)] = device.map { .present($0.device) } ?? .absent
      }
      for (command, program) in programs {
        environment.programs[BytesText.text(command)] = UdevRuleEnvironment.Run(
          succeeds: program.succeeds, output: program.output.text)
      }
      return environment
    }
  }

  let version: Int
  let release: Int?
  /// The files, in the order in which they are read or, with `chooses`, by descending priority.
  let files: [File]
  /// A Boolean value that indicates whether to omit masked files and sort the others.
  let chooses: Bool
  let events: [Event]
  let environment: Environment
}
