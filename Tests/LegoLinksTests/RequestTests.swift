import Testing

@testable import LegoLinks
@testable import MessageBus

/// Calls as values; the tests on a bus send them.
@Suite struct `A request` {
  static let token = BusValue.list([.list([.text("activation-token"), .text("t")])])

  private func request(
    _ member: String, _ signature: String, _ arguments: [BusValue], path: String? = nil,
    interface: String = "org.freedesktop.Application"
  ) throws -> [LinkArrival] {
    let name = try BusName("org.example.Photos")
    return try ApplicationRequest(
      BusIncoming(
        isSignal: false, sender: ":1.1", path: path ?? name.path, interface: interface,
        member: member, signature: signature, arguments: arguments), for: name,
      actions: ["newest": "photos:/picture/0"]
    ).arrivals
  }

  private func refusal(_ body: () throws -> [LinkArrival]) -> String? {
    do { _ = try body() } catch let refusal as ApplicationRequest.ErrorReply {
      return refusal.name
    } catch { return "\(error)" }
    return nil
  }

  @Test func `brings links with what a window needs for the focus`() throws {
    #expect(
      try request("Open", "asa{sv}", [.list([.text("a"), .text("b")]), Self.token]) == [
        LinkArrival("a", origin: .bus, activationToken: "t"),
        LinkArrival("b", origin: .bus, activationToken: "t"),
      ])
    #expect(try request("Activate", "a{sv}", [.list([])]) == [LinkArrival(nil, origin: .bus)])
    let startup = BusValue.list([.list([.text("desktop-startup-id"), .text("s")])])
    #expect(
      try request("Activate", "a{sv}", [startup], interface: "") == [
        LinkArrival(nil, origin: .bus, activationToken: "s")
      ])
  }

  @Test func `by an action brings the link of the action`() throws {
    let parameters = BusValue.list([.text("photos:/picture/3")])
    #expect(
      try request("ActivateAction", "sava{sv}", [.text("open-link"), parameters, .list([])]) == [
        LinkArrival("photos:/picture/3", origin: .notification)
      ])
    #expect(
      try request("ActivateAction", "sava{sv}", [.text("newest"), .list([]), Self.token]) == [
        LinkArrival("photos:/picture/0", origin: .notification, activationToken: "t")
      ])
  }

  @Test func `with a token that is no text, or too long, brings none`() throws {
    for token in [BusValue.unsigned(1), .text(""), .text(String(repeating: "t", count: 4_097))] {
      let data = BusValue.list([.list([.text("activation-token"), token])])
      #expect(try request("Activate", "a{sv}", [data]) == [LinkArrival(nil, origin: .bus)])
    }
  }

  @Test func `of another object, interface or method is refused`() {
    #expect(refusal { try request("Activate", "a{sv}", [.list([])], path: "/") } == "UnknownObject")
    #expect(
      refusal { try request("Activate", "a{sv}", [.list([])], interface: "a.b") }
        == "UnknownInterface")
    #expect(refusal { try request("Quit", "", []) } == "UnknownMethod")
  }

  @Test(
    arguments: [
      ("Open", "s"), ("Open", ""), ("Open", "asa{ss}"), ("Activate", "as"), ("Activate", ""),
      ("ActivateAction", "sasa{sv}"), ("ActivateAction", "s"),
    ])
  func `of the wrong types is refused`(member: String, signature: String) {
    #expect(refusal { try request(member, signature, []) } == "InvalidArgs")
    #expect(refusal { try request(member, signature, [.other, .other, .other]) } == "InvalidArgs")
  }

  @Test func `of too many links, or too long ones, is refused`() {
    let most = LinkLimits.linksInCall
    let links = [BusValue](repeating: .text("a"), count: most + 1)
    #expect(
      refusal { try request("Open", "asa{sv}", [.list(links), .list([])]) } == "LimitsExceeded")
    // What is longer than is read comes as a value of another type.
    #expect(
      refusal { try request("Open", "asa{sv}", [.list([.other]), .list([])]) } == "LimitsExceeded")
    #expect(
      refusal {
        try request("ActivateAction", "sava{sv}", [.text("open-link"), .list([.other]), .list([])])
      } == "LimitsExceeded")
  }

  @Test(
    arguments: [
      (BusValue.text("open-link"), BusValue.list([])),
      (.text("open-link"), .list([.unsigned(3)])),
      (.text("open-link"), .list([.text("a"), .text("b")])),
      (.text("newest"), .list([.text("a")])), (.text("other"), .list([])), (.other, .list([])),
    ])
  func `for no action of the program is refused`(action: BusValue, parameters: BusValue) {
    #expect(
      refusal { try request("ActivateAction", "sava{sv}", [action, parameters, .list([])]) }
        == "InvalidArgs")
  }
}
