internal import AccessModel

/// The nodes of a PipeWire daemon, the links between them, and their clients and devices.
struct PipeWireGraph: Hashable, Sendable {
  /// The interfaces of the objects that show who uses a device.
  enum Sort: String, Hashable, Sendable {
    case node = "PipeWire:Interface:Node"
    case link = "PipeWire:Interface:Link"
    case client = "PipeWire:Interface:Client"
    case device = "PipeWire:Interface:Device"
  }

  /// An object, with the properties that show who uses a device.
  struct Object: Hashable, Sendable {
    let sort: Sort
    fileprivate(set) var properties: [String: String] = [:]
    /// A Boolean value that indicates whether data flows through a node.
    ///
    /// The value is `nil` for other objects, and if the daemon has not reported the node's state.
    fileprivate(set) var isRunning: Bool?

    /// The approximate size in bytes.
    fileprivate var size: Int {
      properties.reduce(64) { $0 + 64 + $1.value.utf8.count }
    }

    /// The properties to keep; others are ignored.
    private static let keys: Set<String> = [
      "alsa.card", "alsa.device", "api.alsa.card", "api.alsa.pcm.card", "api.v4l2.path",
      "application.name", "application.process.binary", "application.process.id", "client.api",
      "client.id", "device.devids", "device.id", "link.input.node", "link.output.node",
      "media.class", "node.link-group", "node.name", "object.path",
      "pipewire.access.portal.app_id", "pipewire.sec.pid",
    ]

    fileprivate mutating func add(_ others: [String: String]) {
      for (key, value) in others where Self.keys.contains(key) { properties[key] = value }
    }

    /// Returns a property as a number, such as the ID of the node's client.
    func number(_ key: String) -> UInt32? { properties[key].flatMap { UInt32($0) } }
  }

  private(set) var objects: [UInt32: Object] = [:]
  /// The approximate size of all objects in bytes.
  private(set) var size = 0
  /// The number of changes so far, which identifies a state of this daemon's graph.
  private(set) var revision: UInt64 = 0

  // MARK: Events

  /// Adds an object that the registry announces.
  ///
  /// - Returns: The ID of the object if it must be bound to receive its properties; otherwise,
  ///   `nil`.
  mutating func add(_ arguments: [PipeWireValue]) -> UInt32? {
    guard arguments.count > 4, case .number(let number) = arguments[0],
      let id = UInt32(exactly: number), case .text(let type) = arguments[2],
      let sort = Sort(rawValue: type)
    else { return nil }
    var object = Object(sort: sort)
    object.add(arguments[4].properties)
    set(id, to: object)
    return sort == .link ? nil : id
  }

  mutating func remove(_ id: UInt32) { set(id, to: nil) }

  /// Updates an object from its `info` event.
  mutating func update(_ id: UInt32, with arguments: [PipeWireValue]) {
    guard var object = objects[id] else { return }
    // A node's event contains the port counts and the state before the properties.
    let place = object.sort == .node ? 8 : 2
    guard arguments.count > place else { return }
    object.add(arguments[place].properties)
    if object.sort == .node, case .number(let state) = arguments[6] {
      object.isRunning = Int32(truncatingIfNeeded: state) == 3
    }
    set(id, to: object)
  }

  private mutating func set(_ id: UInt32, to object: Object?) {
    // An unchanged object is not replaced. Copies of the graph then keep sharing their storage.
    guard objects[id] != object else { return }
    revision &+= 1
    size += (object?.size ?? 0) - (objects[id]?.size ?? 0)
    objects[id] = object
  }

  // MARK: Questions

  /// Returns the IDs of the nodes that represent a device of the machine.
  func nodes(of device: DeviceFacts) -> [UInt32] {
    objects.filter { $0.value.sort == .node && isNode($0.value, of: device) }.map(\.key).sorted()
  }

  /// Returns the use of a device, or `nil` if no node represents the device.
  func use(of device: DeviceFacts) -> PipeWireUse? { uses(of: [device])[0] }

  /// Returns the use of each device, as ``use(of:)`` does for one.
  func uses(of devices: [DeviceFacts]) -> [PipeWireUse?] {
    let nodes = devices.map(nodes)
    // Most daemons have no node for the devices in question, so computing the routes can be
    // skipped.
    guard nodes.contains(where: { !$0.isEmpty }) else { return nodes.map { _ in nil } }
    let routes = PipeWireRoutes(objects)
    return nodes.map { nodes in
      guard !nodes.isEmpty else { return nil }
      let states = nodes.compactMap { objects[$0]?.isRunning }
      return PipeWireUse(
        users: routes.users(of: nodes),
        activity: states.isEmpty ? nil : states.contains(true) ? .streaming : .idle)
    }
  }

  // MARK: Devices

  private func isNode(_ node: Object, of device: DeviceFacts) -> Bool {
    let parent = node.number("device.id").flatMap { objects[$0] }?.properties ?? [:]
    let own = { (key: String) in node.properties[key] ?? parent[key] }
    switch device.subsystem {
    case "video4linux":
      guard let path = device.udevNode else { return false }
      return own("api.v4l2.path") == path || own("object.path") == "v4l2:\(path)"
        || device.number.map { number in
          (own("device.devids") ?? "").split { !$0.isNumber }.contains { $0 == number.decimal }
        } ?? false
    case "sound":
      guard let stream = SoundPlace(kernelName: device.kernelName),
        let type = node.properties["media.class"]
      else { return false }
      let card = own("api.alsa.pcm.card") ?? own("alsa.card") ?? own("api.alsa.card")
      let isSame = node.properties["alsa.device"].map { UInt32($0) == stream.device } ?? true
      return card.flatMap { UInt32($0) } == stream.card && isSame
        && type.hasPrefix(stream.isCapture ? "Audio/Source" : "Audio/Sink")
    default: return false
    }
  }
}

extension DeviceNumber {
  /// The number in the encoding of `dev_t`, in decimal.
  fileprivate var decimal: String {
    let (major, minor) = (UInt64(major), UInt64(minor))
    return String(
      minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32)
  }
}

/// The users of one device, as known to a PipeWire daemon.
struct PipeWireUse: Hashable, Sendable {
  /// A program that receives data from the device or sends data to it.
  struct User: Hashable, Sendable {
    /// The role of the program in the data flow.
    enum Part: Hashable, Sendable {
      case keeps
      /// It passes the data on to other programs, which are listed as users too.
      case passesOn
      /// It offers the data to other programs, but none is connected.
      case offers
    }

    var client: MediaClient
    /// The process that opened the connection, according to the kernel; `nil` for a client of the
    /// PulseAudio server.
    var process: Int32?
    var part: Part
  }

  /// The programs; a program appears once for each node that uses the device.
  var users: [User]
  /// The activity of the nodes; `nil` if the daemon does not report it.
  var activity: DeviceHold.Activity?

  /// The same use without process IDs, for a daemon in a different PID namespace.
  var withoutNumbers: PipeWireUse {
    var use = self
    for index in use.users.indices {
      use.users[index].process = nil
      use.users[index].client.processID = nil
    }
    return use
  }

  /// Returns the programs that use the device through the daemon.
  ///
  /// The media server's own filters are not listed if other programs receive their data. If a
  /// filter keeps the data, or no other program receives it, the server is listed.
  ///
  /// - Parameters:
  ///   - server: The daemon, which holds the device open.
  ///   - process: Returns the visible facts of a process, or `nil` if it cannot be seen.
  /// - Returns: The programs, each once.
  func clients(
    of server: HoldingProcess, _ process: (Int32) -> HoldingProcess?
  ) -> [MediaClient] {
    func isOwn(_ user: User) -> Bool {
      user.process.map { $0 == server.id || process($0)?.isMediaServer == true } ?? false
    }
    var clients: [MediaClient] = []
    // The owner of a daemon could make it report thousands of clients.
    var places: [MediaClient: Int] = [:]
    func add(_ client: MediaClient) {
      var key = client
      key.isStreaming = false
      if let place = places[key] {
        if client.isStreaming { clients[place].isStreaming = true }
      } else if clients.count < DeviceHolder.mostClients {
        places[key] = clients.count
        clients.append(client)
      }
    }
    for user in users where !isOwn(user) {
      var client = user.client
      // A program cannot claim to be the server.
      if client.processID == server.id { client.processID = nil }
      if client.processID == user.process, let process = user.process.flatMap(process),
        // A daemon is not trusted to name processes of other users.
        process.user == server.user
      {
        client.process = process
      }
      add(client)
    }
    let isStreaming = clients.contains(where: \.isStreaming)
    for user in users where isOwn(user) && user.part != .passesOn {
      // A filter runs whenever the device runs, no matter which program started the device.
      let isElsewhere = isStreaming || !user.client.isStreaming && !clients.isEmpty
      if user.part == .offers, isElsewhere { continue }
      add(
        MediaClient(
          name: server.name, processID: server.id, isStreaming: user.client.isStreaming))
    }
    return clients
  }
}

/// The location of an ALSA PCM device according to its name.
///
/// For example, `pcmC1D0c` captures on card 1, device 0.
struct SoundPlace: Hashable, Sendable {
  var card: UInt32
  var device: UInt32
  var isCapture: Bool

  /// Parses a kernel name; returns `nil` if the device is not a PCM device.
  init?(kernelName: String) {
    guard kernelName.hasPrefix("pcmC"), kernelName.utf8.count <= 16 else { return nil }
    let parts = kernelName.dropFirst(4).split(separator: "D", maxSplits: 1)
    guard parts.count == 2, let card = UInt32(parts[0]), let side = parts[1].last,
      side == "c" || side == "p", let device = UInt32(parts[1].dropLast())
    else { return nil }
    self.card = card
    self.device = device
    isCapture = side == "c"
  }
}
