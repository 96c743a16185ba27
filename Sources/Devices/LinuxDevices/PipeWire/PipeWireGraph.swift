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
