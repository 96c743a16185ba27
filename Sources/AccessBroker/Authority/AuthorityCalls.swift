internal import LinuxDevices
internal import MessageBus

/// The calls of polkit (org.freedesktop.PolicyKit1.Authority).
enum AuthorityCalls {
  private static let name = "org.freedesktop.PolicyKit1"
  private static let object = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"

  /// Asks whether a caller may, and lets polkit ask the person.
  ///
  /// The subject is the caller's unique name on the bus, which is never given to another. polkit
  /// finds the process behind it through the bus, with the pidfd that the bus keeps where it has one:
  /// the number of a process that has ended meanwhile leads to nobody else.
  ///
  /// - Parameters:
  ///   - caller: The unique name.
  ///   - program: What the dialog calls the process that asks.
  ///   - device: The device.
  ///   - cancellation: What ``cancel(_:)`` calls the question.
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

  /// Takes a question back.
  static func cancel(_ cancellation: String) -> BusCall {
    BusCall(
      name, object, interface, "CancelCheckAuthorization", [.text(cancellation)],
      startsService: false)
  }
}
