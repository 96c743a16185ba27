internal import AccessModel
internal import CLinux
internal import Glibc

/// Puts the facts of one question together.
struct FactsObserver {
  var machine: LinuxMachine
  var view: SubjectView

  /// The facts about one path.
  func facts(for question: Question, path: String) throws(DeviceError) -> AccessFacts {
    var look = Look(machine, view)
    let end = look.walk(path)
    let type = end.flatMap { look.observer.sighting($0)?.node.type }
    let request = question.request(for: path, type: type)
    let device = end.flatMap { look.device(at: $0).first }
    var facts = look.finish(
      kind: nil, request: request, candidates: [path],
      seats: Set([device?.seat ?? "seat0", "seat0"]))
    facts.devices = neighbours(of: device, at: path, &facts.unobserved)
    if end == nil { observeMissing(path, home: look.home, &facts) }
    let node = end.flatMap { look.observer.sighting($0)?.node }
    if device == nil, let node, node.type.isDevice { observeNumber(of: node, &facts) }
    observeDaemon(&facts)
    return facts
  }

  /// The device and those beside it: the true camera next to a metadata node, or the number that
  /// a device has since it was plugged in again.
  ///
  /// Only a kind's subsystem is listed: nobody means another memory device by `/dev/null`.
  private func neighbours(
    of device: DeviceFacts?, at path: String, _ unobserved: inout [Unobserved]
  ) -> [DeviceFacts] {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let subsystem = DeviceKind.all.compactMap(\.subsystem).first { $0 == device?.subsystem }
    let kind = DeviceKind.all.first { kind in
      guard kind.subsystem != nil, !kind.namePrefixes.isEmpty else { return false }
      if let subsystem { return kind.subsystem == subsystem }
      return path.hasPrefix("/dev/") && kind.namePrefixes.contains { name.hasPrefix($0) }
    }
    var siblings: [DeviceFacts]?
    do throws(DeviceError) {
      siblings = try kind.map { (kind) throws(DeviceError) in
        kind.members(in: try machine.devices(of: kind))
      }
    } catch {
      let reason = error.errno.map { Errno(rawValue: $0).clause } ?? error.code.description
      unobserved.append(Unobserved("devices", at: machine.roots.sysfs, reason: reason))
    }
    guard let siblings else { return device.map { [$0] } ?? [] }
    if let device, !siblings.contains(where: { $0.sysfsPath == device.sysfsPath }) {
      return [device] + siblings
    }
    return siblings
  }

  /// The facts about a kind of device: every node that a list shows is on the way, the first
  /// candidate is requested.
  func facts(
    for question: Question, kind: DeviceKind, devices: [DeviceFacts]
  ) throws(DeviceError) -> AccessFacts {
    var look = Look(machine, view)
    let candidates = kind.candidates(in: devices).compactMap(\.node)
    // The nodes of other roles too, so that a list can tell the access to each.
    let nodes = kind.members(in: devices).compactMap(\.node)
    for node in nodes { look.walk(node) }
    let companions =
      kind == .camera && !nodes.isEmpty ? self.companions(isPipeline: candidates.isEmpty) : []
    var companionDevices: [DeviceFacts] = []
    for node in companions {
      if let end = look.walk(node) { companionDevices += look.device(at: end) }
    }
    let chosen = candidates.first ?? kind.conventionalPath(besides: Set(nodes))
    let end = look.walk(chosen)
    let type = end.flatMap { look.observer.sighting($0)?.node.type }
    var facts = look.finish(
      kind: kind.name, request: question.request(for: chosen, type: type),
      candidates: (candidates.isEmpty ? [chosen] : []) + nodes + companions,
      seats: Set(devices.map(\.seat)).union(["seat0"]))
    facts.devices = devices + companionDevices
    if !devices.isEmpty { noteDatabase(&facts.unobserved) }
    if kind == .camera, candidates.isEmpty {
      facts.hardware = HardwareObserver(roots: machine.roots).observe()
    }
    if candidates.isEmpty {
      if let node = end.flatMap({ look.observer.sighting($0)?.node }), node.type.isDevice {
        observeNumber(of: node, &facts)
      }
      observeUnknown(of: kind, besides: devices, &facts)
    }
    observeDaemon(&facts)
    return facts
  }

  /// The nodes beside those of cameras: of webcams the media controllers alone.
  private func companions(isPipeline: Bool) -> [String] {
    let paths = CameraCompanions(folder: "\(view.root)/dev").paths
    return isPipeline ? paths : paths.filter { $0.hasPrefix("/dev/media") }
  }

  /// What could tell why nothing is at a path: a driver, or another directory for pictures.
  private func observeMissing(_ path: String, home: String?, _ facts: inout AccessFacts) {
    if path.hasPrefix("/dev/video") {
      facts.hardware = HardwareObserver(roots: machine.roots).observe()
    } else if path.hasPrefix("/dev/") {
      let module = ModuleObserver(roots: machine.roots).module(ofNode: String(path.dropFirst(5)))
      guard let module else { return }
      var hardware = HardwareFacts()
      hardware.modules = [module]
      facts.hardware = hardware
    } else if let home, path == "\(home)/Pictures" || path.hasPrefix("\(home)/Pictures/") {
      facts.album = AlbumObserver(environment: view.environment, root: view.root)
        .observe(home: home)
    }
  }

  /// What is known of the number of a node that belongs to no device.
  private func observeNumber(of node: Node, _ facts: inout AccessFacts) {
    guard let number = node.rdev else { return }
    let numbers = NumberObserver(roots: machine.roots)
    var hardware = facts.hardware ?? HardwareFacts()
    hardware.numbers.append(numbers.observe(number, isBlock: node.type == .blockDevice))
    facts.hardware = hardware
  }

  /// Whether there may be devices of the kind that the list does not hold.
  private func observeUnknown(
    of kind: DeviceKind, besides devices: [DeviceFacts], _ facts: inout AccessFacts
  ) {
    let numbers = NumberObserver(roots: machine.roots)
    if devices.isEmpty, let reason = numbers.hiddenTree {
      facts.unobserved.append(
        Unobserved(Unobserved.devicesLayer, at: machine.roots.sysfs, reason: reason))
    }
    guard kind == .camera else { return }
    let unknown = numbers.unknownNodes(
      in: "\(view.root)/dev", named: kind.namePrefixes, besides: Set(devices.compactMap(\.number)))
    guard !unknown.isEmpty else { return }
    var hardware = facts.hardware ?? HardwareFacts()
    hardware.unknownNodes = unknown
    facts.hardware = hardware
  }

  /// Where udev has not finished with a device, whether it ever will.
  private func observeDaemon(_ facts: inout AccessFacts) {
    guard facts.devices.contains(where: { $0.node != nil && !$0.isInitialized }) else { return }
    var hardware = facts.hardware ?? HardwareFacts()
    hardware.hasUdevControl = UdevDatabase(roots: machine.roots).hasControl
    facts.hardware = hardware
  }

  /// Notes that what udev decided about devices is hidden, as in many containers.
  private func noteDatabase(_ unobserved: inout [Unobserved]) {
    let path = "\(machine.roots.run)/udev/data"
    var status = stat()
    guard unsafe stat(path, &status) != 0 else { return }
    unobserved.append(Unobserved("udev-database", at: path, reason: Errno.current.clause))
  }

  /// The facts about the pictures directory, and where it is.
  func albumFacts(for question: Question) throws(DeviceError) -> (AccessFacts, String) {
    var look = Look(machine, view)
    let album = AlbumObserver(environment: view.environment, root: view.root)
      .observe(home: look.home)
    // Without a home directory there is nothing to look at: a path that cannot exist.
    let path = album.path ?? "/nonexistent/Pictures"
    let end = look.walk(path)
    let type = end.flatMap { look.observer.sighting($0)?.node.type }
    var facts = look.finish(
      kind: DeviceKind.album.name, request: question.request(for: path, type: type),
      candidates: [path], seats: ["seat0"])
    facts.album = album
    return (facts, path)
  }
}
