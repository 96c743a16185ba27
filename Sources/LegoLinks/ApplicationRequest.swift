internal import LegoKit
internal import MessageBus

/// What the desktop asks of a program (`org.freedesktop.Application`).
struct ApplicationRequest: Hashable {
  static let interface = "org.freedesktop.Application"
  /// The action whose parameter is a link.
  static let openLink = "open-link"

  /// What the call brings.
  let arrivals: [LinkArrival]

  /// Why a call is refused: the last part of an error's name, and a text.
  struct ErrorReply: Error, Hashable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Reads a call.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - name: The name of the program.
  ///   - actions: The links of the actions in the desktop entry, by their names.
  /// - Throws: Why it is refused.
  init(_ call: BusIncoming, for name: BusName, actions: [String: String]) throws(ErrorReply) {
    guard call.path == name.path else {
      throw ErrorReply("UnknownObject", "the object of this program is \(name.path)")
    }
    guard call.interface.isEmpty || call.interface == Self.interface else {
      throw ErrorReply("UnknownInterface", "the interface is \(Self.interface)")
    }
    switch call.member {
    case "Activate":
      try Self.check(call, "a{sv}")
      arrivals = [LinkArrival(nil, origin: .bus, activationToken: Self.token(call.arguments[0]))]
    case "Open":
      try Self.check(call, "asa{sv}")
      let token = Self.token(call.arguments[1])
      arrivals = try Self.links(call.arguments[0]).map {
        LinkArrival($0, origin: .bus, activationToken: token)
      }
    case "ActivateAction":
      try Self.check(call, "sava{sv}")
      arrivals = [
        LinkArrival(
          try Self.link(call.arguments[0], call.arguments[1], actions), origin: .notification,
          activationToken: Self.token(call.arguments[2]))
      ]
    default: throw ErrorReply("UnknownMethod", "the methods are Activate, Open and ActivateAction")
    }
  }

  private static func check(_ call: BusIncoming, _ signature: String) throws(ErrorReply) {
    // The types follow from the signature; the count is looked at, because what is read is indexed.
    guard call.signature == signature, !call.arguments.isEmpty else {
      throw ErrorReply("InvalidArgs", "the arguments of \(call.member) are \(signature)")
    }
  }

  private static func links(_ value: BusValue) throws(ErrorReply) -> [String] {
    let elements = value.elements ?? []
    guard elements.count <= LinkLimits.linksInCall else {
      throw ErrorReply("LimitsExceeded", "more than \(LinkLimits.linksInCall) links")
    }
    guard let links = value.texts else { throw tooLong }
    return links
  }

  private static var tooLong: ErrorReply {
    ErrorReply("LimitsExceeded", "a link is longer than \(LinkLimits.linkBytes) bytes")
  }

  private static func link(
    _ action: BusValue, _ parameters: BusValue, _ actions: [String: String]
  ) throws(ErrorReply) -> String {
    guard let action = action.text else {
      throw ErrorReply("InvalidArgs", "the action is too long")
    }
    let parameters = parameters.elements ?? []
    if action == Self.openLink {
      guard parameters.count == 1 else {
        throw ErrorReply("InvalidArgs", "\(Self.openLink) has one parameter, a link")
      }
      if case .other = parameters[0] { throw tooLong }
      guard let link = parameters[0].text else {
        throw ErrorReply("InvalidArgs", "the parameter of \(Self.openLink) is not a text")
      }
      return link
    }
    guard let link = actions[action], parameters.isEmpty else {
      throw ErrorReply("InvalidArgs", "there is no such action")
    }
    return link
  }

  /// What a window needs to get the focus.
  private static func token(_ platformData: BusValue) -> String? {
    for key in ["activation-token", "desktop-startup-id"] {
      if let token = platformData[key: key]?.text, !token.isEmpty, token.utf8.count <= 4_096 {
        return token
      }
    }
    return nil
  }

  // MARK: Calls of another instance

  /// The call that hands links to the instance that runs; without any, it is asked to show itself.
  static func handOver(_ links: [String], to name: BusName, token: String?) -> BusCall {
    let data = BusArgument.dictionary([
      "activation-token": token.map { .text($0) },
      "desktop-startup-id": token.map { .text($0) },
    ])
    return BusCall(
      name.text, name.path, interface, links.isEmpty ? "Activate" : "Open",
      links.isEmpty ? [data] : [.texts(links), data])
  }
}

/// Turns what comes from the bus into arrivals.
struct ApplicationCallHandler {
  let name: BusName
  let actions: [String: String]
  let arrivals: LinkInbox
  let shownNotifications: ShownNotifications
  let problems: LogSink

  func answer(_ incoming: BusIncoming) -> BusAnswer {
    if incoming.isSignal {
      if let arrival = shownNotifications.handle(incoming), !arrivals.send(arrival) {
        problems.write("\(name.text): a link of a notification is dropped, because \(Self.full)")
      }
      return .values([])
    }
    do throws(ApplicationRequest.ErrorReply) {
      let request = try ApplicationRequest(incoming, for: name, actions: actions)
      guard arrivals.send(request.arrivals) else {
        // The caller may have the name in a moment, or the bus starts the program anew.
        if arrivals.isFinished { return .refusal("ServiceUnknown", "the program is about to end") }
        throw ApplicationRequest.ErrorReply("LimitsExceeded", Self.full)
      }
      return .values([])
    } catch {
      // Others look around on the bus, which is no problem of this program.
      if !error.name.hasPrefix("Unknown") {
        problems.write("\(name.text): a call of \(incoming.sender) is refused: \(error.text)")
      }
      return .refusal(error.name, error.text)
    }
  }

  private static let full = "too many links wait for the program"
}
