import MessageBus
import Testing

@testable import LinuxDevices

/// Tests the parsing of arbitrary messages from a portal.
@Suite struct `What a portal says` {
  private static let path = "/org/freedesktop/portal/desktop/request/1_7/t"

  private func signal(
    _ values: [BusValue], path: String = Self.path, sender: String = ":1.2",
    interface: String = "org.freedesktop.portal.Request", member: String = "Response"
  ) -> BusIncoming {
    BusIncoming(
      isSignal: true, sender: sender, path: path, interface: interface, member: member,
      signature: "", arguments: values)
  }

  private func response(_ code: UInt64) -> [BusValue] { [.unsigned(code), .list([])] }

  @Test func `tells the three responses apart`() {
    let outcomes = (0...2).map { PortalReplyParser.response(response($0))?.outcome }
    #expect(outcomes == [.granted, .refused, .interrupted])
  }

  static let noResponses: [[BusValue]] = [
    [], [BusValue.unsigned(0)], [.unsigned(3), .list([])], [.unsigned(.max), .list([])],
    [.signed(0), .list([])], [.text("0"), .list([])], [.boolean(true), .list([])],
    [.unsigned(0), .text("")], [.unsigned(0), .list([]), .list([])], [.list([]), .unsigned(0)],
  ]

  @Test(arguments: noResponses)
  func `takes nothing else for an answer`(values: [BusValue]) {
    #expect(PortalReplyParser.response(values) == nil)
  }

  @Test func `hears the portal, about this request, and nobody else`() {
    var conversation = PortalRequestState()
    #expect(conversation.begin(Self.path, of: ":1.2") == nil)
    #expect(conversation.receive(signal(response(0), sender: ":1.3")) == nil)
    #expect(conversation.receive(signal(response(0), path: Self.path + "x")) == nil)
    #expect(conversation.receive(signal(response(0), interface: "a.b")) == nil)
    #expect(conversation.receive(signal(response(0), member: "Closed")) == nil)
    #expect(conversation.receive(signal(response(1))) == .answered(.refused))
    #expect(conversation.receive(signal([.text("yes")])) == .nonsense)
  }

  @Test func `keeps what came before the request was known`() {
    var conversation = PortalRequestState()
    for _ in 0..<8 { #expect(conversation.receive(signal(response(0), sender: ":1.3")) == nil) }
    #expect(conversation.receive(signal(response(2))) == nil)
    #expect(conversation.begin(Self.path, of: ":1.2") == .answered(.interrupted))
  }

  @Test func `notices the end of the portal, as only the bus can tell it`() {
    var conversation = PortalRequestState()
    let values: [BusValue] = [
      .text("org.freedesktop.portal.Desktop"), .text(":1.2"), .text(""),
    ]
    func end(_ sender: String, _ values: [BusValue]) -> BusIncoming {
      signal(values, sender: sender, member: "NameOwnerChanged")
    }
    #expect(conversation.receive(end("org.freedesktop.DBus", values)) == nil)
    _ = conversation.begin(Self.path, of: ":1.2")
    #expect(conversation.receive(end(":1.3", values)) == nil)
    #expect(
      conversation.receive(
        end("org.freedesktop.DBus", [values[0], .text(":1.9"), .text("")])) == nil)
    #expect(conversation.receive(end("org.freedesktop.DBus", values)) == .portalEnded)
  }

  static let stores: [(entries: [(String, [String])], permission: PortalPermission)] = [
    ([], .nothing),
    ([("", ["yes"])], .answer(.yes)), ([("a", ["no"]), ("", ["ask"])], .answer(.ask)),
    ([("a", ["yes"])], .nothing), ([("", ["no"])], .answer(.no)),
  ]

  @Test(arguments: stores)
  func `finds the answer of one application in the store`(
    entries: [(String, [String])], permission: PortalPermission
  ) {
    let list = entries.map { name, words in
      BusValue.list([.text(name), .list(words.map { .text($0) })])
    }
    #expect(PortalReplyParser.permission([.list(list), .other], of: "") == permission)
  }

  static let noStores: [[BusValue]] = [
    [], [BusValue.text("yes")], [.list([.text("")])], [.list([.list([.text("")])])],
    [.list([.list([.text(""), .text("yes")])])],
    [.list([.list([.text(""), .list([.text("yes"), .text("no")])])])],
    [.list([.list([.text(""), .list([])])])],
    [.list([.list([.text(""), .list([.text("Yes")])])])],
  ]

  @Test(arguments: noStores)
  func `takes no yes from a store that answers nonsense`(values: [BusValue]) {
    guard case .unread = PortalReplyParser.permission(values, of: "") else {
      Issue.record("\(values)")
      return
    }
  }

  @Test func `names the object of a request as the portal does`() {
    #expect(
      PortalCalls.requestPath(of: ":1.42", "abc")
        == "/org/freedesktop/portal/desktop/request/1_42/abc")
    #expect(PortalReplyParser.requestPath([.text("/somewhere")]) == nil)
    #expect(PortalReplyParser.requestPath([.unsigned(7)]) == nil)
  }
}
