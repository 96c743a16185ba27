internal import AccessModel

/// The routes that data takes between a PipeWire daemon's nodes, through links and filters.
///
/// A filter is a node with both inputs and outputs, or several streams and nodes of one client that
/// `node.link-group` combines.
struct PipeWireRoutes: Sendable {
  /// A node, by its ID, or the inside of a filter, by a number above all IDs.
  private typealias Place = Int
  private typealias Steps = [Place: Set<Place>]

  /// The direction of a client's node, and whether other nodes can connect to it like to a device.
  private enum Role: Hashable {
    /// A stream that receives data from a device.
    case input
    /// A stream that sends data to a device.
    case output
    /// A virtual source that sends data to other nodes.
    case source
    /// A virtual sink that receives data from other nodes.
    case sink

    init?(_ type: String) {
      if type.hasPrefix("Stream/Input/") {
        self = .input
      } else if type.hasPrefix("Stream/Output/") {
        self = .output
      } else if type.contains("/Source") {
        self = .source
      } else if type.contains("/Sink") {
        self = .sink
      } else {
        return nil
      }
    }
  }

  /// The properties that the parts of one filter share.
  private struct Filter: Hashable {
    let client: UInt32
    /// The `node.link-group`; without one, two streams of a client do not form a filter.
    let group: String?
    let isVideo: Bool
  }

  private let objects: [UInt32: PipeWireGraph.Object]
  private var after: Steps = [:]
  private var before: Steps = [:]
  private var roles: [Place: Role] = [:]
  /// The insides of filters that lead to a virtual source or sink.
  private var offers: Set<Place> = []

  init(_ objects: [UInt32: PipeWireGraph.Object]) {
    self.objects = objects
    var filters: [Filter: [Role: Set<Place>]] = [:]
    for (number, object) in objects {
      switch object.sort {
      case .link: addLink(object)
      case .node:
        guard let type = object.properties["media.class"], let role = Role(type),
          !object.isOfDevice,
          let client = object.number("client.id")
        else { continue }
        roles[Int(number)] = role
        let filter = Filter(
          client: client, group: object.properties["node.link-group"],
          isVideo: type.contains("Video"))
        filters[filter, default: [:]][role, default: []].insert(Int(number))
      case .client, .device: break
      }
    }
    var inside = Int(UInt32.max)
    for (filter, parts) in filters {
      func add(_ from: Role, _ to: Role, or other: Role? = nil, _ steps: inout Steps) {
        let other = filter.group == nil ? nil : other.flatMap { parts[$0] }
        guard let entries = parts[from], let exits = parts[to] ?? other else { return }
        inside += 1
        for entry in entries { steps[entry, default: []].insert(inside) }
        steps[inside] = exits
        if parts[to] != nil, to == .source || to == .sink { offers.insert(inside) }
      }
      // An echo canceller has all four roles, and does not play what it records.
      add(.input, .source, or: .output, &after)
      add(.sink, .output, &after)
      add(.output, .sink, or: .input, &before)
      add(.source, .input, &before)
    }
  }

  private mutating func addLink(_ link: PipeWireGraph.Object) {
    guard let output = link.number("link.output.node"),
      let input = link.number("link.input.node"), output != input
    else { return }
    after[Int(output), default: []].insert(Int(input))
    before[Int(input), default: []].insert(Int(output))
  }

  /// Returns the programs that receive data from some nodes, and those that send data to them.
  func users(of nodes: [UInt32]) -> [PipeWireUse.User] {
    let ends = Set(nodes.map(Int.init))
    return users(of: ends, by: after, offering: .source)
      + users(of: ends, by: before, offering: .sink)
  }

  private func users(
    of ends: Set<Place>, by steps: Steps, offering role: Role
  ) -> [PipeWireUse.User] {
    let isRunning = { (place: Place) in object(place)?.isRunning ?? true }
    let streaming = Self.reached(
      from: ends.filter { object($0)?.isRunning == true }, by: steps, where: isRunning)
    let all = Self.reached(from: ends, by: steps) { _ in true }
    let passing = passing(in: all, streaming, by: steps)
    let next = ends.reduce(into: Set<Place>()) { $0.formUnion(steps[$1] ?? []) }
    return all.subtracting(ends).sorted().compactMap { place in
      // A node with a direct link to the device is reported even if no program owns it.
      guard let node = object(place), isProgram(node) || next.contains(place) else { return nil }
      let offers = roles[place] == role || !offers.isDisjoint(with: steps[place] ?? [])
      return user(
        node, isStreaming: streaming.contains(place),
        part: passing.contains(place) ? .passesOn : offers ? .offers : .keeps)
    }
  }

  /// Returns the nodes that pass data on to other programs.
  ///
  /// If a node is streaming, only streaming nodes count as its receivers.
  private func passing(
    in all: Set<Place>, _ streaming: Set<Place>, by steps: Steps
  ) -> Set<Place> {
    var back: Steps = [:]
    var last: Set<Place> = []
    for place in all {
      let owner = object(place).map(owner)
      for next in steps[place] ?? [] where all.contains(next) {
        guard streaming.contains(next) || !streaming.contains(place) else { continue }
        back[next, default: []].insert(place)
        guard let node = object(next), isProgram(node), place <= UInt32.max else { continue }
        if owner != self.owner(of: node) { last.insert(place) }
      }
    }
    return Self.reached(from: last, by: back) { _ in true }
  }

  private static func reached(
    from starts: Set<Place>, by steps: Steps, where isOpen: (Place) -> Bool
  ) -> Set<Place> {
    var reached = starts
    var left = Array(starts)
    while let place = left.popLast() {
      for next in steps[place] ?? [] where isOpen(next) && reached.insert(next).inserted {
        left.append(next)
      }
    }
    return reached
  }

  // MARK: Programs

  /// Returns the node with an ID, or `nil` for the inside of a filter.
  private func object(_ place: Place) -> PipeWireGraph.Object? {
    UInt32(exactly: place).flatMap { objects[$0] }.flatMap { $0.sort == .node ? $0 : nil }
  }

  /// Returns whether a node belongs to a program, and not to a device or to the daemon itself.
  private func isProgram(_ node: PipeWireGraph.Object) -> Bool {
    !node.isOfDevice && node.number("client.id").flatMap { objects[$0] } != nil
  }

  private func owner(of node: PipeWireGraph.Object) -> MediaClient {
    user(node, isStreaming: false, part: .keeps).client
  }

  private func user(
    _ node: PipeWireGraph.Object, isStreaming: Bool, part: PipeWireUse.User.Part
  ) -> PipeWireUse.User {
    let owner = node.number("client.id").flatMap { objects[$0] }?.properties ?? [:]
    let application = owner["pipewire.access.portal.app_id"].flatMap { $0.isEmpty ? nil : $0 }
    func process(_ key: String) -> Int32? {
      owner[key].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    // The daemon knows which process connected to its socket. For PulseAudio clients, that is the
    // PulseAudio server, which forwards what they claim. For sandboxed clients, it is the portal.
    let isRelayed = owner["client.api"] == "pipewire-pulse"
    let sender = isRelayed ? nil : process("pipewire.sec.pid")
    let name =
      owner["application.name"] ?? node.properties["application.name"]
      ?? owner["application.process.binary"] ?? node.properties["node.name"] ?? ""
    return PipeWireUse.User(
      client: MediaClient(
        name: name,
        processID: application != nil
          ? nil : isRelayed ? process("application.process.id") : sender,
        application: application, isStreaming: isStreaming),
      process: sender, part: part)
  }
}

extension PipeWireGraph.Object {
  /// A Boolean value that indicates whether a node represents a device.
  fileprivate var isOfDevice: Bool { properties["device.id"] != nil }
}
