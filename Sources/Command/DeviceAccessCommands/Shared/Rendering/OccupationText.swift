internal import AccessModel

/// Describes the programs that have a device open, and the consequences for other programs.
struct OccupationText: Sendable {
  let use: DeviceUse
  let occupation: Occupation?
  let style: Style

  /// Creates the description; the occupation is `nil` if the users were not scanned.
  init(_ use: DeviceUse, _ occupation: Occupation?, _ style: Style) {
    self.use = use
    self.occupation = occupation
    self.style = style
  }

  init(_ explanation: Explanation, _ style: Style) {
    self.init(
      explanation.use ?? DeviceUse(node: explanation.path), explanation.occupation, style)
  }

  /// The description, such as `busy: cheese (4711)`; empty if the users were not scanned.
  var text: String {
    switch occupation {
    case nil: ""
    case .free: "free"
    case .busy: "busy" + list(use.holders.filter { use.occupation(by: $0) == .busy })
    case .held: "in use" + list(use.holders.filter { use.occupation(by: $0) == .held })
    case .open, .unknown: openText
    }
  }

  /// A warning that the device may be in use; `nil` if no such use is known.
  var remark: String? {
    switch occupation {
    case .busy: text
    case .held: text + (use.isStreamed ? ", which may be streaming" : "")
    case .free, .open, .unknown, nil: nil
    }
  }

  var tone: Style.Tone? {
    switch occupation {
    case .free: .good
    case .busy: .bad
    case .held, .unknown: .unsure
    case .open, nil: nil
    }
  }

  private var openText: String {
    let feeders = use.holders.filter { use.direction(of: $0) == .feeds }
    let others = use.holders.filter { use.direction(of: $0) != .feeds }
    let isProven = feeders.allSatisfy { use.isDirectionProven(of: $0) }
    let parts = [
      feeders.isEmpty ? nil : (isProven ? "" : "probably ") + "fed by " + names(feeders),
      others.isEmpty ? nil : "open" + list(others),
    ].compactMap(\.self)
    if !parts.isEmpty { return parts.joined(separator: "; ") }
    return occupation == .open ? "open" : "no user found"
  }

  private func list(_ holders: [DeviceHolder]) -> String {
    holders.isEmpty ? "" : ": " + names(holders)
  }

  private func names(_ holders: [DeviceHolder]) -> String {
    let all = holders.flatMap(names)
    return all.prefix(2).joined(separator: ", ")
      + (all.count > 2 ? " and \(all.count - 2) more" : "")
  }

  private func names(of holder: DeviceHolder) -> [String] {
    let server = style.safe(holder.process.name, limit: 32)
    let clients = (holder.clients ?? []).filter(\.isStreaming)
    guard clients.isEmpty else {
      return clients.map { client in
        let number = client.processID.map { " (\($0))" } ?? ""
        return "\(style.safe(client.name, limit: 32))\(number) through \(server)"
      }
    }
    return ["\(server) (\(holder.process.id))"]
  }
}

/// Describes the user of a program, and the application, container or unit that it belongs to.
struct HolderText: Sendable {
  private let process: HoldingProcess?
  private let applicationName: String?
  private let style: Style

  /// Describes a process that holds a device.
  init(_ holder: DeviceHolder, _ style: Style) {
    process = holder.process
    applicationName = holder.process.application
    self.style = style
  }

  /// Describes a program that uses a device through a media server.
  init(_ client: MediaClient, _ style: Style) {
    process = client.process
    applicationName = client.application ?? client.process?.application
    self.style = style
  }

  /// The user that the program runs as; `nil` if unknown.
  var user: String? {
    process?.userName.map { style.safe($0, limit: 32) } ?? process?.user.map { String($0) }
  }

  /// The application, else the container, else the unit; `nil` if none is known.
  var place: String? {
    application ?? container ?? process?.unit.map { style.safe($0, limit: 32) }
  }

  /// The application, the container and the unit, each with a label.
  var details: [String] {
    [
      application.map { "application \($0)" }, container.map { "container \($0)" },
      process?.unit.map { "unit \(style.safe($0))" },
    ].compactMap(\.self)
  }

  private var application: String? {
    applicationName.map { style.safe($0, limit: 48) }
  }

  private var container: String? {
    process?.containerWords?.map { style.safe($0, limit: 48) }.joined(separator: " ")
  }
}

extension DeviceUse {
  /// Describes whether a program feeds or views a virtual camera, such as `probably feeds it`.
  ///
  /// The result is `nil` if the direction is unknown.
  func directionText(of holder: DeviceHolder) -> String? {
    direction(of: holder).map { direction in
      let words = direction == .feeds ? "feeds it" : "views it"
      return isDirectionProven(of: holder) ? words : "probably \(words)"
    }
  }
}

extension HoldingProcess {
  /// The container engine and the name or ID of the process's container; `nil` if none was found.
  var containerWords: [String]? {
    container.map { engine in
      // The engines show the first twelve digits of an ID.
      let name = containerName.map { $0.utf8.count == 64 ? String($0.prefix(12)) : $0 }
      return [engine, name].compactMap(\.self)
    }
  }
}
