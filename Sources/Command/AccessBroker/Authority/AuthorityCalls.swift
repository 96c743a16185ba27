internal import LinuxDevices
package import MessageBus

/// The calls of polkit (org.freedesktop.PolicyKit1.Authority).
enum AuthorityCalls {
  private static let name = "org.freedesktop.PolicyKit1"
  private static let object = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"

  /// Returns the call that asks polkit whether a caller is authorized, and allows polkit to ask the
  /// user.
  ///
  /// The subject is the caller's unique name on the bus, which is never reused. polkit finds the
  /// process through the bus. If the bus has a pidfd of the process, polkit uses that, so a process
  /// ID that has been reused leads to no other process.
  ///
  /// - Parameters:
  ///   - caller: The unique name of the caller.
  ///   - program: The name of the requesting process in the dialog.
  ///   - device: The device.
  ///   - cancellation: The identifier of the request for ``cancel(_:)``.
  /// - Returns: The call.
  static func check(
    _ caller: String, _ program: String, _ device: KnownDevice, cancellation: String
  ) -> BusCall {
    BusCall(
      name, object, interface, "CheckAuthorization",
      [
        .structure([.text("system-bus-name"), .dictionary(["name": .text(caller)])]),
        .text(BrokerCalls.action(for: device.kind)),
        .array(
          of: "{ss}",
          [
            .pair("program", program), .pair("device", device.node),
            .pair("device-name", device.shownName),
          ]),
        // AllowUserInteraction.
        .unsigned(1), .text(cancellation),
      ])
  }

  /// Returns the call that cancels a request.
  static func cancel(_ cancellation: String) -> BusCall {
    BusCall(
      name, object, interface, "CancelCheckAuthorization", [.text(cancellation)],
      startsService: false)
  }
}

/// The answer of polkit.
package enum AuthorityAnswer: Hashable, Sendable {
  case authorized
  case refused
  /// A user would have to authenticate, but no authentication agent is running.
  case unasked
  /// The user dismissed the dialog.
  case dismissed
  /// polkit is not available or has failed; this answer never authorizes.
  case none(String)

  /// Reads the reply to `CheckAuthorization`, which has the type `(bba{ss})`.
  package init(_ result: Result<[BusValue], BusFailure>) {
    let values: [BusValue]
    switch result {
    case .success(let arguments): values = arguments
    case .failure(let failure):
      // Remove the final period, because the text becomes part of a longer sentence.
      let text = failure.description
      self = .none(text.hasSuffix(".") ? String(text.dropLast()) : text)
      return
    }
    guard values.count == 1, let parts = values[0].elements, parts.count == 3,
      let isAuthorized = parts[0].boolean, let isChallenge = parts[1].boolean,
      parts[2].elements != nil
    else {
      self = .none("polkit sent an invalid reply")
      return
    }
    if isAuthorized {
      self = .authorized
    } else if parts[2][key: "polkit.dismissed"] != nil {
      self = .dismissed
    } else {
      // Interaction was allowed, so a remaining challenge means that no agent could ask the user.
      self = isChallenge ? .unasked : .refused
    }
  }
}
