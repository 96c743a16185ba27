import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `Clients of PipeWire behind filters` {
  /// Returns a graph with a microphone, the daemon's own echo canceller and a filter in series.
  ///
  /// A program plays through the canceller. Its output goes to the speaker, which another program
  /// records.
  private static func filtered(_ more: [PipeWireMessage] = []) -> PipeWireGraph {
    func node(_ id: Int64, _ client: Int, _ type: String, _ group: String? = nil) -> PipeWireMessage
    {
      let place: KeyValuePairs<String, String> = ["client.id": "\(client)", "media.class": type]
      guard let group else { return PipeWireScript.global(id, "Node", place) }
      return PipeWireScript.global(
        id, "Node",
        ["client.id": "\(client)", "media.class": type, "node.link-group": group])
    }
    func client(_ id: Int64, _ name: String, _ process: Int) -> PipeWireMessage {
      PipeWireScript.global(
        id, "Client", ["application.name": name, "pipewire.sec.pid": "\(process)"])
    }
    var conversation = PipeWireSession()
    let own = [
      client(10, "WirePlumber", 2), client(11, "pipewire", 1), client(12, "effects", 12),
      client(13, "player", 13), client(14, "meter", 14),
      PipeWireScript.global(
        20, "Node",
        [
          "client.id": "10", "device.id": "9", "media.class": "Audio/Source", "alsa.card": "1",
          "alsa.device": "0",
        ]),
      PipeWireScript.global(
        21, "Node", ["client.id": "10", "device.id": "9", "media.class": "Audio/Sink"]),
      node(30, 11, "Stream/Input/Audio", "echo"), node(31, 11, "Audio/Source", "echo"),
      node(32, 11, "Audio/Sink", "echo"), node(33, 11, "Stream/Output/Audio", "echo"),
      // A node that filters, and one that offers the result.
      node(40, 12, ""), node(41, 12, "Audio/Source/Virtual"),
      node(42, 13, "Stream/Output/Audio"), node(43, 14, "Stream/Input/Audio"),
      link(20, 30), link(31, 40), link(40, 41), link(42, 32), link(33, 21), link(21, 43),
    ]
    for message in own + more { _ = conversation.receive(message) }
    // All nodes are running.
    for object in UInt32(3)..<60 { _ = conversation.receive(PipeWireScript.info(object, state: 3)) }
    return conversation.graph
  }

  private static func link(_ output: Int64, _ input: Int64) -> PipeWireMessage {
    PipeWireScript.global(
      linkNumber(output, input), "Link",
      ["link.output.node": "\(output)", "link.input.node": "\(input)"])
  }

  private static func linkNumber(_ output: Int64, _ input: Int64) -> Int64 {
    100_000 + 10_000 * output + input
  }

  private static let recorder = [
    PipeWireScript.global(15, "Client", ["application.name": "spy", "pipewire.sec.pid": "15"]),
    PipeWireScript.global(50, "Node", ["client.id": "15", "media.class": "Stream/Input/Audio"]),
  ]

  private static let server = HoldingProcess(id: 1, name: "pipewire")

  private static func clients(
    _ graph: PipeWireGraph, of server: HoldingProcess = server
  ) throws -> [MediaClient] {
    let use = try #require(
      graph.use(of: PipeWireScript.device("/dev/snd/pcmC1D0c", "sound", "pcmC1D0c")))
    return use.clients(of: server) { $0 < 10 ? HoldingProcess(id: $0, name: "pipewire") : nil }
  }

  private static let effects = MediaClient(name: "effects", processID: 12)
  private static let spy = MediaClient(name: "spy", processID: 15)

  @Test func `are those that record from filters, with the filters that are programs`() throws {
    #expect(try Self.clients(Self.filtered()) == [Self.effects])
    let behind = Self.filtered(Self.recorder + [Self.link(41, 50)])
    #expect(try Self.clients(behind) == [Self.effects, Self.spy])
    // Other programs also record from the first filter, which is the daemon's own.
    let between = Self.filtered(Self.recorder + [Self.link(31, 50)])
    #expect(try Self.clients(between) == [Self.effects, Self.spy])
    let before = Self.filtered(Self.recorder + [Self.link(20, 50)])
    #expect(try Self.clients(before) == [Self.effects, Self.spy])
  }

  @Test func `are found where filters go round in circles`() throws {
    let circle = Self.filtered(
      Self.recorder + [Self.link(41, 50), Self.link(41, 30), Self.link(41, 40), Self.link(41, 20)])
    #expect(try Self.clients(circle) == [Self.effects, Self.spy])
  }

  @Test func `is the media server where nobody takes what its filter offers`() throws {
    let leftAlone = PipeWireMessage(2, 1, [.number(Self.linkNumber(31, 40))])
    let own = MediaClient(name: "pipewire", processID: 1)
    #expect(try Self.clients(Self.filtered([leftAlone])) == [own])
    // A program that records directly has the device open.
    let direct = [leftAlone] + Self.recorder + [Self.link(20, 50)]
    #expect(try Self.clients(Self.filtered(direct)) == [Self.spy])
    // Audio that the server plays, sends or writes is offered to no client, so the server is
    // reported.
    let sender = PipeWireScript.global(
      51, "Node", ["client.id": "11", "media.class": "Stream/Input/Audio"])
    #expect(
      try Self.clients(Self.filtered(direct + [sender, Self.link(20, 51)])) == [Self.spy, own])
  }

  @Test func `is never the media server because a program says so`() throws {
    let claim = [
      PipeWireScript.global(
        15, "Client",
        [
          "application.name": "pipewire", "client.api": "pipewire-pulse",
          "application.process.id": "1", "pipewire.sec.pid": "2",
        ]),
      PipeWireScript.global(50, "Node", ["client.id": "15", "media.class": "Stream/Input/Audio"]),
      Self.link(20, 50),
    ]
    #expect(
      try Self.clients(Self.filtered(claim)) == [Self.effects, MediaClient(name: "pipewire")])
  }

  @Test func `are few steps away, however many nodes there are`() throws {
    var more = Self.recorder
    // A chain of nodes, and a client with a very large group of nodes.
    for id in Int64(2000)..<3000 {
      more.append(PipeWireScript.global(id, "Node", ["client.id": "12"]))
      more.append(Self.link(id == 2000 ? 41 : id - 1, id))
    }
    more.append(Self.link(2999, 50))
    for id in Int64(3000)..<5000 {
      let type = id < 4000 ? "Stream/Input/Audio" : "Audio/Source"
      more.append(
        PipeWireScript.global(
          id, "Node", ["client.id": "11", "media.class": type, "node.link-group": "echo"]))
    }
    let graph = Self.filtered(more)
    var clients: [MediaClient] = []
    let time = try ContinuousClock().measure { clients = try Self.clients(graph) }
    #expect(clients.contains { $0.name == "spy" })
    // One step per node; a debug build on a busy machine takes some tenths of a second.
    #expect(time < .seconds(2))
  }
}
