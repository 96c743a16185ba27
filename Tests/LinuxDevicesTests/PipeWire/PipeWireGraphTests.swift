import AccessModel
import Testing

@testable import LinuxDevices

/// What a daemon says, put together by hand.
@Suite struct `What PipeWire knows of devices` {
  static func properties(_ pairs: KeyValuePairs<String, String>) -> PipeWireValue {
    .structure(
      [.number(Int64(pairs.count))] + pairs.flatMap { [.text($0.key), .text($0.value)] })
  }

  static func global(
    _ id: Int64, _ type: String, _ pairs: KeyValuePairs<String, String>
  ) -> PipeWireMessage {
    PipeWireMessage(
      2, 0,
      [
        .number(id), .number(456), .text("PipeWire:Interface:\(type)"), .number(3),
        properties(pairs),
      ])
  }

  /// What a node says of itself, bound as `object`.
  static func info(
    _ object: UInt32, state: Int64, _ pairs: KeyValuePairs<String, String> = [:]
  ) -> PipeWireMessage {
    let counts = [PipeWireValue](repeating: .number(0), count: 5)
    return PipeWireMessage(
      object, 0,
      [.number(0)] + counts + [.number(state), .none, properties(pairs), .structure([.number(0)])])
  }

  static let done = [1, 2].map { PipeWireMessage(0, 1, [.number(0), .number($0)]) }

  /// A camera and a microphone, zoom on the camera, a recorder of PulseAudio on the microphone.
  static let messages: [PipeWireMessage] = [
    global(31, "Node", ["media.class": "Video/Source", "object.path": "v4l2:/dev/video0"]),
    global(32, "Node", ["client.id": "33", "media.class": "Stream/Input/Video"]),
    global(
      33, "Client",
      [
        "application.name": "zoom", "pipewire.sec.pid": "12", "application.process.id": "99",
      ]),
    global(34, "Link", ["link.output.node": "31", "link.input.node": "32"]),
    global(40, "Device", ["device.api": "alsa", "api.alsa.card": "1"]),
    global(41, "Node", ["device.id": "40", "media.class": "Audio/Source"]),
    global(42, "Node", ["client.id": "43", "node.name": "stream"]),
    global(
      43, "Client",
      [
        "client.api": "pipewire-pulse", "pipewire.sec.pid": "900", "application.process.id": "77",
        "application.name": "parec",
      ]),
    global(44, "Link", ["link.output.node": "41", "link.input.node": "42"]),
    done[0], info(3, state: 3), info(4, state: 3), info(7, state: 2, ["alsa.device": "0"]), done[1],
  ]

  private func graph(_ more: [PipeWireMessage] = []) throws -> PipeWireGraph {
    var conversation = PipeWireConversation()
    for message in more + Self.messages {
      // As it arrives.
      let read = try #require(PipeWireMessage(parsing: message.bytes(number: 0)[...]))
      #expect(read == message)
      _ = conversation.receive(read)
    }
    #expect(conversation.isFinished)
    return conversation.graph
  }

  static func device(_ node: String, _ subsystem: String, _ name: String) -> DeviceFacts {
    DeviceFacts(node: node, sysfsPath: "/sys/x", subsystem: subsystem, kernelName: name)
  }

  static let camera = device("/dev/video0", "video4linux", "video0")

  @Test func `are the programs at the other end of a link`() throws {
    let graph = try graph()
    #expect(graph.nodes(of: Self.camera) == [31])
    #expect(
      PipeWireRoutes(graph.objects).users(of: [31]).map(\.client) == [
        MediaClient(name: "zoom", processID: 12)
      ])
    #expect(graph.nodes(of: Self.device("/dev/video1", "video4linux", "video1")) == [])
    #expect(
      PipeWireRoutes(graph.objects).users(of: [32]).map(\.client).map(\.isStreaming) == [true])
  }

  @Test(arguments: [
    ("pcmC1D0c", [41]), ("pcmC1D0p", []), ("pcmC0D0c", []), ("pcmC1D1c", []), ("controlC1", []),
  ])
  func `are found by the card of a sound device`(name: String, nodes: [UInt32]) throws {
    #expect(try graph().nodes(of: Self.device("/dev/snd/\(name)", "sound", name)) == nodes)
  }

  @Test func `are told by the server of PulseAudio, which is asked for others`() throws {
    let clients = try PipeWireRoutes(graph().objects).users(of: [41]).map(\.client)
    #expect(clients == [MediaClient(name: "parec", processID: 77, isStreaming: false)])
  }

  @Test func `are found by the numbers of a device`() throws {
    var camera = Self.camera
    camera.number = DeviceNumber(major: 81, minor: 0)
    let other = Self.global(
      31, "Node", ["media.class": "Video/Source", "device.devids": "[ 20737 20736 ]"])
    var conversation = PipeWireConversation()
    _ = conversation.receive(other)
    #expect(conversation.graph.nodes(of: camera) == [31])
    camera.number = DeviceNumber(major: 8, minor: 1)
    #expect(conversation.graph.nodes(of: camera) == [])
  }

  @Test func `are applications where the portal says so, and no numbers of their own`() throws {
    var conversation = PipeWireConversation()
    for message in [
      Self.global(1, "Node", ["object.path": "v4l2:/dev/video0"]),
      Self.global(2, "Node", ["client.id": "3"]),
      Self.global(
        3, "Client",
        [
          "application.name": "Web", "pipewire.sec.pid": "5",
          "pipewire.access.portal.app_id": "org.gnome.Epiphany",
        ]),
      Self.global(4, "Link", ["link.output.node": "1", "link.input.node": "2"]),
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
      devices: [Self.camera, Self.device("/dev/video7", "video4linux", "video7")].map {
        DeviceUse(node: $0.node ?? "", device: $0, holders: [idle])
      })
    let graph = try graph()
    var client = HoldingProcess(id: 12, name: "zoom.real")
    client.user = 1000
    // Known for one of the two devices, and asked once.
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
    // The numbers of another PID namespace name nobody here.
    facts = before
    observer.sharesNumbers = { _ in false }
    observer.graph = { _ in graph }
    observer.addClients(to: &facts)
    #expect(
      facts.devices[0].holders.first?.clients == [MediaClient(name: "zoom", isStreaming: true)])
  }

  @Test func `goes with what is removed`() throws {
    var conversation = PipeWireConversation()
    for message in Self.messages { _ = conversation.receive(message) }
    _ = conversation.receive(PipeWireMessage(2, 1, [.number(34)]))
    #expect(PipeWireRoutes(conversation.graph.objects).users(of: [31]).map(\.client) == [])
    _ = conversation.receive(PipeWireMessage(2, 1, [.number(31)]))
    #expect(conversation.graph.nodes(of: Self.camera) == [])
  }

  @Test func `is asked for politely`() {
    var conversation = PipeWireConversation()
    #expect(conversation.start().count % 8 == 0)
    // A daemon that wants to know whether anybody is there is answered.
    let pong = conversation.receive(PipeWireMessage(0, 2, [.number(0), .number(5)]))
    let answer = PipeWireMessage(parsing: pong[...])
    #expect(answer == PipeWireMessage(0, 3, [.number(0), .number(5)]))
    // What no link leads through is not asked about.
    #expect(conversation.receive(Self.global(1, "Module", [:])) == [])
    #expect(conversation.receive(Self.global(2, "Node", [:])) != [])
  }

  @Test func `is learned whole before it counts, also when it comes later`() throws {
    var conversation = PipeWireConversation()
    _ = conversation.start()
    for message in Self.messages { _ = conversation.receive(message) }
    #expect(conversation.isFinished)
    // What is said of a node that just came is on its way.
    _ = conversation.receive(Self.global(50, "Node", ["client.id": "33"]))
    #expect(!conversation.isFinished)
    _ = conversation.receive(Self.global(51, "Node", [:]))
    _ = conversation.receive(PipeWireMessage(0, 1, [.number(0), .number(3)]))
    // The second one came after the question.
    #expect(!conversation.isFinished)
    _ = conversation.receive(PipeWireMessage(0, 1, [.number(0), .number(4)]))
    #expect(conversation.isFinished)
  }

  /// The daemon takes a number that is given back, or the next one.
  @Test func `are asked about by few numbers, however many come and go`() throws {
    var conversation = PipeWireConversation()
    for round in 0..<5000 {
      let question = conversation.receive(Self.global(9, "Node", ["client.id": "\(round)"]))
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
    var conversation = PipeWireConversation()
    // A property that tells nothing is not kept.
    let long = String(repeating: "x", count: 4000)
    _ = conversation.receive(Self.global(1, "Node", ["unknown": long]))
    #expect(conversation.graph.size < 1000)
    for id in 0..<4200 {
      _ = conversation.receive(Self.global(Int64(id), "Link", ["media.class": long]))
    }
    #expect(conversation.isTooBig)
    var links = PipeWireConversation()
    for id in 0...16384 { _ = links.receive(Self.global(Int64(id), "Link", [:])) }
    #expect(links.isTooBig)
    _ = links.receive(PipeWireMessage(2, 1, [.number(0)]))
    #expect(!links.isTooBig)
  }

  // MARK: Filters

  /// A microphone, an echo canceller of the daemon's own and a filter in front of each other.
  ///
  /// A program plays through the canceller; its output goes to the speaker, which somebody records.
  private static func filtered(_ more: [PipeWireMessage] = []) -> PipeWireGraph {
    func node(_ id: Int64, _ client: Int, _ type: String, _ group: String? = nil) -> PipeWireMessage
    {
      let place: KeyValuePairs<String, String> = ["client.id": "\(client)", "media.class": type]
      guard let group else { return global(id, "Node", place) }
      return global(
        id, "Node",
        ["client.id": "\(client)", "media.class": type, "node.link-group": group])
    }
    func client(_ id: Int64, _ name: String, _ process: Int) -> PipeWireMessage {
      global(
        id, "Client", ["application.name": name, "pipewire.sec.pid": "\(process)"])
    }
    var conversation = PipeWireConversation()
    let own = [
      client(10, "WirePlumber", 2), client(11, "pipewire", 1), client(12, "effects", 12),
      client(13, "player", 13), client(14, "meter", 14),
      global(
        20, "Node",
        [
          "client.id": "10", "device.id": "9", "media.class": "Audio/Source", "alsa.card": "1",
          "alsa.device": "0",
        ]),
      global(
        21, "Node", ["client.id": "10", "device.id": "9", "media.class": "Audio/Sink"]),
      node(30, 11, "Stream/Input/Audio", "echo"), node(31, 11, "Audio/Source", "echo"),
      node(32, 11, "Audio/Sink", "echo"), node(33, 11, "Stream/Output/Audio", "echo"),
      // A filter that is one node, and one that offers what it makes.
      node(40, 12, ""), node(41, 12, "Audio/Source/Virtual"),
      node(42, 13, "Stream/Output/Audio"), node(43, 14, "Stream/Input/Audio"),
      link(20, 30), link(31, 40), link(40, 41), link(42, 32), link(33, 21), link(21, 43),
    ]
    for message in own + more { _ = conversation.receive(message) }
    // All of them run.
    for object in UInt32(3)..<60 { _ = conversation.receive(info(object, state: 3)) }
    return conversation.graph
  }

  private static func link(_ output: Int64, _ input: Int64) -> PipeWireMessage {
    global(
      linkNumber(output, input), "Link",
      ["link.output.node": "\(output)", "link.input.node": "\(input)"])
  }

  private static func linkNumber(_ output: Int64, _ input: Int64) -> Int64 {
    100_000 + 10_000 * output + input
  }

  private static let recorder = [
    global(15, "Client", ["application.name": "spy", "pipewire.sec.pid": "15"]),
    global(50, "Node", ["client.id": "15", "media.class": "Stream/Input/Audio"]),
  ]

  private static let server = HoldingProcess(id: 1, name: "pipewire")

  private static func clients(
    _ graph: PipeWireGraph, of server: HoldingProcess = server
  ) throws -> [MediaClient] {
    let use = try #require(graph.use(of: device("/dev/snd/pcmC1D0c", "sound", "pcmC1D0c")))
    return use.clients(of: server) { $0 < 10 ? HoldingProcess(id: $0, name: "pipewire") : nil }
  }

  private static let effects = MediaClient(name: "effects", processID: 12)
  private static let spy = MediaClient(name: "spy", processID: 15)

  @Test func `are those that record from filters, with the filters that are programs`() throws {
    #expect(try Self.clients(Self.filtered()) == [Self.effects])
    let behind = Self.filtered(Self.recorder + [Self.link(41, 50)])
    #expect(try Self.clients(behind) == [Self.effects, Self.spy])
    // Of the first of them, which is the daemon's own, others record as well.
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
    // Whoever records directly has the device open.
    let direct = [leftAlone] + Self.recorder + [Self.link(20, 50)]
    #expect(try Self.clients(Self.filtered(direct)) == [Self.spy])
    // What it plays, sends or writes is offered to nobody, and told.
    let sender = Self.global(51, "Node", ["client.id": "11", "media.class": "Stream/Input/Audio"])
    #expect(
      try Self.clients(Self.filtered(direct + [sender, Self.link(20, 51)])) == [Self.spy, own])
  }

  @Test func `is never the media server because a program says so`() throws {
    let claim = [
      Self.global(
        15, "Client",
        [
          "application.name": "pipewire", "client.api": "pipewire-pulse",
          "application.process.id": "1", "pipewire.sec.pid": "2",
        ]),
      Self.global(50, "Node", ["client.id": "15", "media.class": "Stream/Input/Audio"]),
      Self.link(20, 50),
    ]
    #expect(
      try Self.clients(Self.filtered(claim)) == [Self.effects, MediaClient(name: "pipewire")])
  }

  @Test func `are few steps away, however many nodes there are`() throws {
    var more = Self.recorder
    // A chain of nodes, and a client that has very many that belong together.
    for id in Int64(2000)..<3000 {
      more.append(Self.global(id, "Node", ["client.id": "12"]))
      more.append(Self.link(id == 2000 ? 41 : id - 1, id))
    }
    more.append(Self.link(2999, 50))
    for id in Int64(3000)..<5000 {
      let type = id < 4000 ? "Stream/Input/Audio" : "Audio/Source"
      more.append(
        Self.global(
          id, "Node", ["client.id": "11", "media.class": type, "node.link-group": "echo"]))
    }
    let graph = Self.filtered(more)
    var clients: [MediaClient] = []
    let time = try ContinuousClock().measure { clients = try Self.clients(graph) }
    #expect(clients.contains { $0.name == "spy" })
    // A step for each; a debug build on a busy machine takes some tenths of a second.
    #expect(time < .seconds(2))
  }

  // MARK: What is not well formed

  @Test(
    arguments: [
      [], [0, 0, 0, 0], [8, 0, 0, 0, 14, 0, 0, 0], [255, 255, 255, 255, 14, 0, 0, 0],
      [2, 0, 0, 0, 4, 0, 0, 0, 1, 2], [4, 0, 0, 0, 14, 0, 0, 0, 1, 2, 3, 4],
    ] as [[UInt8]])
  func `is not read from bytes that are none`(bytes: [UInt8]) {
    #expect(PipeWireValue(parsing: bytes) == nil)
  }

  @Test func `is not read from structures without end`() {
    var bytes: [UInt8] = []
    for level in 0..<30 { bytes += [UInt8(8 * (29 - level)), 0, 0, 0, 14, 0, 0, 0] }
    #expect(PipeWireValue(parsing: bytes) == nil)
    #expect(PipeWireMessage(parsing: [1, 2, 3]) == nil)
  }

  @Test func `is not mended by names that steer a terminal`() {
    let message = PipeWireMessage(2, 0, [.text("a\u{1B}[2J")])
    let read = PipeWireMessage(parsing: message.bytes(number: 1)[...])
    #expect(read?.arguments == [.text("a\u{FFFD}[2J")])
  }

  // MARK: Sockets

  @Test func `is asked where the user's daemon listens`() {
    var roots = MachineRoots()
    roots.run = "/r"
    func paths(_ variables: [String: String], user: UInt32 = 7) -> [String] {
      PipeWireSocket(roots: roots, environment: { variables[$0] }, ownUser: 7).paths(of: user)
    }
    let usual = "/r/user/7/pipewire-0"
    #expect(paths([:]) == [usual])
    #expect(paths(["XDG_RUNTIME_DIR": "/x"]) == ["/x/pipewire-0", usual])
    #expect(paths(["XDG_RUNTIME_DIR": "/r/user/7"]) == [usual])
    #expect(paths(["XDG_RUNTIME_DIR": "x"]) == [usual])
    #expect(
      paths(["XDG_RUNTIME_DIR": "/x", "PIPEWIRE_RUNTIME_DIR": "/p", "PIPEWIRE_REMOTE": "a"])
        == ["/p/a", usual])
    #expect(paths(["PIPEWIRE_REMOTE": "/s"]) == ["/s"])
    // The environment of one user says nothing of another's.
    #expect(paths(["XDG_RUNTIME_DIR": "/x"], user: 8) == ["/r/user/8/pipewire-0"])
  }
}
