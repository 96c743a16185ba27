import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `What PipeWire knows of devices` {
  private func graph(_ more: [PipeWireMessage] = []) throws -> PipeWireGraph {
    var conversation = PipeWireSession()
    for message in more + PipeWireScript.messages {
      // The message is parsed from bytes, as on arrival.
      let read = try #require(PipeWireMessage(parsing: message.bytes(number: 0)[...]))
      #expect(read == message)
      _ = conversation.receive(read)
    }
    #expect(conversation.isFinished)
    return conversation.graph
  }

  @Test func `are the programs at the other end of a link`() throws {
    let graph = try graph()
    #expect(graph.nodes(of: PipeWireScript.camera) == [31])
    #expect(
      PipeWireRoutes(graph.objects).users(of: [31]).map(\.client) == [
        MediaClient(name: "zoom", processID: 12)
      ])
    #expect(graph.nodes(of: PipeWireScript.device("/dev/video1", "video4linux", "video1")) == [])
    #expect(
      PipeWireRoutes(graph.objects).users(of: [32]).map(\.client).map(\.isStreaming) == [true])
  }

  @Test(arguments: [
    ("pcmC1D0c", [41]), ("pcmC1D0p", []), ("pcmC0D0c", []), ("pcmC1D1c", []), ("controlC1", []),
  ])
  func `are found by the card of a sound device`(name: String, nodes: [UInt32]) throws {
    #expect(
      try graph().nodes(of: PipeWireScript.device("/dev/snd/\(name)", "sound", name)) == nodes)
  }

  @Test func `are told by the server of PulseAudio, which is asked for others`() throws {
    let clients = try PipeWireRoutes(graph().objects).users(of: [41]).map(\.client)
    #expect(clients == [MediaClient(name: "parec", processID: 77, isStreaming: false)])
  }

  @Test func `are found by the numbers of a device`() throws {
    var camera = PipeWireScript.camera
    camera.number = DeviceNumber(major: 81, minor: 0)
    let other = PipeWireScript.global(
      31, "Node", ["media.class": "Video/Source", "device.devids": "[ 20737 20736 ]"])
    var conversation = PipeWireSession()
    _ = conversation.receive(other)
    #expect(conversation.graph.nodes(of: camera) == [31])
    camera.number = DeviceNumber(major: 8, minor: 1)
    #expect(conversation.graph.nodes(of: camera) == [])
  }

  @Test func `are applications where the portal says so, and no numbers of their own`() throws {
    var conversation = PipeWireSession()
    for message in [
      PipeWireScript.global(1, "Node", ["object.path": "v4l2:/dev/video0"]),
      PipeWireScript.global(2, "Node", ["client.id": "3"]),
      PipeWireScript.global(
        3, "Client",
        [
          "application.name": "Web", "pipewire.sec.pid": "5",
          "pipewire.access.portal.app_id": "org.gnome.Epiphany",
        ]),
      PipeWireScript.global(4, "Link", ["link.output.node": "1", "link.input.node": "2"]),
    ] {
      _ = conversation.receive(message)
    }
    #expect(
      PipeWireRoutes(conversation.graph.objects).users(of: [1]).map(\.client) == [
        MediaClient(name: "Web", application: "org.gnome.Epiphany", isStreaming: false)
      ])
  }

  @Test func `make a holder stream, and name its clients`() async throws {
    var process = HoldingProcess(id: 900, name: "pipewire")
    process.user = 1000
    let idle = DeviceHolder(process, DeviceHold())
    var facts = UseFacts(
      devices: [
        PipeWireScript.camera, PipeWireScript.device("/dev/video7", "video4linux", "video7"),
      ].map {
        DeviceUse(node: $0.node ?? "", device: $0, holders: [idle])
      })
    let graph = try graph()
    var client = HoldingProcess(id: 12, name: "zoom.real")
    client.user = 1000
    // The graph knows one of the two devices, and is requested once.
    var observer = MediaClientObserver { _ in nil }
    observer.process = { [client] in $0 == 12 ? client : nil }
    let before = facts
    await confirmation { asked in
      var observer = observer
      observer.graph = { user in
        #expect(user == 1000)
        asked()
        return graph
      }
      observer.addClients(to: &facts)
    }
    let holder = try #require(facts.devices[0].holders.first)
    #expect(holder.hold.activity == .streaming)
    #expect(holder.clients?.map(\.name) == ["zoom"])
    #expect(holder.clients?.first?.process == client)
    #expect(facts.devices[1].holders == [idle])
    // The process IDs of another PID namespace identify no process here.
    facts = before
    observer.sharesNumbers = { _ in false }
    observer.graph = { _ in graph }
    observer.addClients(to: &facts)
    #expect(
      facts.devices[0].holders.first?.clients == [MediaClient(name: "zoom", isStreaming: true)])
  }

  @Test func `goes with what is removed`() throws {
    var conversation = PipeWireSession()
    for message in PipeWireScript.messages { _ = conversation.receive(message) }
    _ = conversation.receive(PipeWireMessage(2, 1, [.number(34)]))
    #expect(PipeWireRoutes(conversation.graph.objects).users(of: [31]).map(\.client) == [])
    _ = conversation.receive(PipeWireMessage(2, 1, [.number(31)]))
    #expect(conversation.graph.nodes(of: PipeWireScript.camera) == [])
  }

  @Test func `is asked for politely`() {
    var conversation = PipeWireSession()
    #expect(conversation.start().count % 8 == 0)
    // A ping from the daemon is answered.
    let pong = conversation.receive(PipeWireMessage(0, 2, [.number(0), .number(5)]))
    let answer = PipeWireMessage(parsing: pong[...])
    #expect(answer == PipeWireMessage(0, 3, [.number(0), .number(5)]))
    // Objects that cannot be part of a link are not queried.
    #expect(conversation.receive(PipeWireScript.global(1, "Module", [:])) == [])
    #expect(conversation.receive(PipeWireScript.global(2, "Node", [:])) != [])
  }

  @Test func `is learned whole before it counts, also when it comes later`() throws {
    var conversation = PipeWireSession()
    _ = conversation.start()
    for message in PipeWireScript.messages { _ = conversation.receive(message) }
    #expect(conversation.isFinished)
    // The details of a node that just appeared are still on their way.
    _ = conversation.receive(PipeWireScript.global(50, "Node", ["client.id": "33"]))
    #expect(!conversation.isFinished)
    _ = conversation.receive(PipeWireScript.global(51, "Node", [:]))
    _ = conversation.receive(PipeWireMessage(0, 1, [.number(0), .number(3)]))
    // The second node appeared after the question.
    #expect(!conversation.isFinished)
    _ = conversation.receive(PipeWireMessage(0, 1, [.number(0), .number(4)]))
    #expect(conversation.isFinished)
  }

  /// The daemon reuses a returned number, or takes the next one.
  @Test func `are asked about by few numbers, however many come and go`() throws {
    var conversation = PipeWireSession()
    for round in 0..<5000 {
      let question = conversation.receive(
        PipeWireScript.global(9, "Node", ["client.id": "\(round)"]))
      let size = try #require(PipeWireMessage.size(of: question[...]))
      let bind = try #require(PipeWireMessage(parsing: question.prefix(size)))
      #expect(bind.arguments.last == .number(3))
      _ = conversation.receive(PipeWireMessage(2, 1, [.number(9)]))
      _ = conversation.receive(PipeWireMessage(0, 4, [.number(3)]))
    }
    #expect(conversation.graph.size == 0)
    #expect(conversation.graph.objects.isEmpty)
  }

  @Test func `are bounded`() {
    var conversation = PipeWireSession()
    // An irrelevant property is not kept.
    let long = String(repeating: "x", count: 4000)
    _ = conversation.receive(PipeWireScript.global(1, "Node", ["unknown": long]))
    #expect(conversation.graph.size < 1000)
    for id in 0..<4200 {
      _ = conversation.receive(PipeWireScript.global(Int64(id), "Link", ["media.class": long]))
    }
    #expect(conversation.isTooBig)
    var links = PipeWireSession()
    for id in 0...16384 { _ = links.receive(PipeWireScript.global(Int64(id), "Link", [:])) }
    #expect(links.isTooBig)
    _ = links.receive(PipeWireMessage(2, 1, [.number(0)]))
    #expect(!links.isTooBig)
  }
}
