internal import LegoKit
internal import MessageBus

/// Turns what comes from the bus into arrivals.
struct ApplicationReceiver {
  let name: BusName
  let actions: [String: String]
  let arrivals: LinkInbox
  let book: NotificationBook
  let problems: LogSink

  func answer(_ incoming: BusIncoming) -> BusAnswer {
    if incoming.isSignal {
      if let arrival = book.take(incoming), !arrivals.send(arrival) {
        problems.write("\(name.text): a link of a notification is dropped, because \(Self.full)")
      }
      return .values([])
    }
    do throws(ApplicationRequest.Refusal) {
      let request = try ApplicationRequest(incoming, for: name, actions: actions)
      guard arrivals.send(request.arrivals) else {
        // The caller may have the name in a moment, or the bus starts the program anew.
        if arrivals.isFinished { return .refusal("ServiceUnknown", "the program is about to end") }
        throw ApplicationRequest.Refusal("LimitsExceeded", Self.full)
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
