internal import LegoKit
internal import MessageBus

/// A decoded call to the interface `org.freedesktop.Application`.
struct ApplicationRequest: Hashable {
  static let interface = "org.freedesktop.Application"
  /// The name of the action whose parameter is a link.
  static let openLink = "open-link"

  /// The arrivals that result from the call.
  let arrivals: [LinkArrival]

  /// An error reply, consisting of the last component of the error name and a message.
  struct ErrorReply: Error, Hashable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Decodes a call.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - name: The name of the application.
  ///   - actions: The links of the actions in the desktop entry, keyed by action name.
  /// - Throws: The error reply for a call that is not valid.
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
    // The signature determines the types of the arguments. There must also be at least one
    // argument, because the arguments are accessed by index.
    guard call.signature == signature, !call.arguments.isEmpty else {
      throw ErrorReply("InvalidArgs", "the arguments of \(call.member) must be \(signature)")
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
        throw ErrorReply("InvalidArgs", "\(Self.openLink) requires one parameter, a link")
      }
      if case .other = parameters[0] { throw tooLong }
      guard let link = parameters[0].text else {
        throw ErrorReply("InvalidArgs", "the parameter of \(Self.openLink) is not a string")
      }
      return link
    }
    guard let link = actions[action], parameters.isEmpty else {
      throw ErrorReply("InvalidArgs", "unknown action")
    }
    return link
  }

  /// Returns the activation token, which a window needs to receive the focus, or `nil` if there is
  /// none.
  private static func token(_ platformData: BusValue) -> String? {
    for key in ["activation-token", "desktop-startup-id"] {
      if let token = platformData[key: key]?.text, !token.isEmpty, token.utf8.count <= 4_096 {
        return token
      }
    }
    return nil
  }

  // MARK: Calls to another instance

  /// Returns a call that passes links to the running instance.
  ///
  /// If there are no links, the call asks that instance to show itself.
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

/// Handles calls and signals from the bus, and adds the resulting arrivals to the inbox.
struct ApplicationCallHandler {
  let name: BusName
  let actions: [String: String]
  let arrivals: LinkInbox
  let shownNotifications: ShownNotifications
  let problems: LogSink

  func answer(_ incoming: BusIncoming) -> BusAnswer {
    if incoming.isSignal {
      if let arrival = shownNotifications.handle(incoming), !arrivals.send(arrival) {
        problems.write("\(name.text): a link of a notification was dropped: \(Self.full)")
      }
      return .values([])
    }
    do throws(ApplicationRequest.ErrorReply) {
      let request = try ApplicationRequest(incoming, for: name, actions: actions)
      guard arrivals.send(request.arrivals) else {
        // An instance that receives this error requests the name again.
        if arrivals.isFinished { return .refusal("ServiceUnknown", "the program is exiting") }
        throw ApplicationRequest.ErrorReply("LimitsExceeded", Self.full)
      }
      return .values([])
    } catch {
      // Calls to unknown members are normal on a bus, so they are not reported.
      if !error.name.hasPrefix("Unknown") {
        problems.write("\(name.text): a call from \(incoming.sender) was refused: \(error.text)")
      }
      return .refusal(error.name, error.text)
    }
  }

  private static let full = "too many unread links"
}
