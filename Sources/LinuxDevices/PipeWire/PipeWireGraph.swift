internal import AccessModel

/// The nodes of a PipeWire daemon, the links between them, and the programs that they belong to.
struct PipeWireGraph: Hashable, Sendable {
  /// The sorts of objects that tell who uses a device.
  enum Sort: String, Hashable, Sendable {
    case node = "PipeWire:Interface:Node"
    case link = "PipeWire:Interface:Link"
    case client = "PipeWire:Interface:Client"
    case device = "PipeWire:Interface:Device"
  }

  /// One object, with what tells who uses a device.
  struct Object: Hashable, Sendable {
    let sort: Sort
    fileprivate(set) var properties: [String: String] = [:]
    /// Of a node whether data flows; `nil` where the daemon did not say.
    fileprivate(set) var isRunning: Bool?

    /// About how many bytes it takes.
    fileprivate var size: Int {
      properties.reduce(64) { $0 + 64 + $1.value.utf8.count }
    }

    /// Others are neither kept nor looked at.
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

    /// The number in a property, such as that of the node's client.
    func number(_ key: String) -> UInt32? { properties[key].flatMap { UInt32($0) } }
  }

  private(set) var objects: [UInt32: Object] = [:]
  /// About how many bytes the objects take.
  private(set) var size = 0
  /// How often they have changed: two states of one daemon's graph are compared by it.
  private(set) var revision: UInt64 = 0

  // MARK: Events

  /// Adds an object that the registry announces.
  ///
  /// - Returns: Its number, where more is to be learned about it.
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

  /// Adds what an object says of itself.
  mutating func update(_ id: UInt32, with arguments: [PipeWireValue]) {
    guard var object = objects[id] else { return }
    // A node counts its ports and tells its state first; clients and devices do not.
    let place = object.sort == .node ? 8 : 2
    guard arguments.count > place else { return }
    object.add(arguments[place].properties)
    if object.sort == .node, case .number(let state) = arguments[6] {
      object.isRunning = Int32(truncatingIfNeeded: state) == 3
    }
    set(id, to: object)
  }

  private mutating func set(_ id: UInt32, to object: Object?) {
    // What says the same again is left alone, so that who keeps a copy pays for changes only.
    guard objects[id] != object else { return }
    revision &+= 1
    size += (object?.size ?? 0) - (objects[id]?.size ?? 0)
    objects[id] = object
  }

  // MARK: Questions

  /// The nodes that a device of the machine is behind.
  func nodes(of device: DeviceFacts) -> [UInt32] {
    objects.filter { $0.value.sort == .node && isNode($0.value, of: device) }.map(\.key).sorted()
  }

  /// What is known of the users of a device; `nil` where no node is that device's.
  func use(of device: DeviceFacts) -> PipeWireUse? { uses(of: [device])[0] }

  /// What is known of the users of some devices, each as by ``use(of:)``.
  func uses(of devices: [DeviceFacts]) -> [PipeWireUse?] {
    let nodes = devices.map(nodes)
    // Most daemons have none of the devices of most looks.
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
  /// The number as one, in the way of `dev_t`.
  fileprivate var decimal: String {
    let (major, minor) = (UInt64(major), UInt64(minor))
    return String(
      minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32)
  }
}
