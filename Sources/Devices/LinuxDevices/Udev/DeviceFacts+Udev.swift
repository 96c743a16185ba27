internal import AccessModel

extension DeviceFacts {
  /// Copies the facts from a libudev device; returns `nil` if it has no usable path in sysfs.
  init?(_ device: borrowing UdevDevice) {
    guard let sysfsPath = device.sysfsPath else { return nil }
    self.init(
      node: device.node, sysfsPath: sysfsPath, subsystem: device.subsystem,
      kernelName: device.kernelName, isInitialized: device.isInitialized)
    properties = device.properties
    number = device.number
    // Without a database entry, libudev searches for the file again at each of these calls.
    guard isInitialized else { return }
    tags = device.tags
    currentTags = device.currentTags
    links = device.claimedLinks
  }

  /// Creates the facts of a device on a recorded machine, from its files.
  init(recordedAt path: String, subsystem: String, roots: MachineRoots) {
    self.init(
      node: nil, sysfsPath: path, subsystem: subsystem,
      kernelName: path.split(separator: "/").last.map(String.init) ?? "", isInitialized: false)
    var record = UdevRecord()
    if let uevent = try? BoundedFile.read("\(path)/uevent", limit: 1 << 16) {
      record.read(uevent: uevent.bytes)
    }
    if let major = record.properties["MAJOR"].flatMap({ UInt32($0) }),
      let minor = record.properties["MINOR"].flatMap({ UInt32($0) })
    {
      number = DeviceNumber(major: major, minor: minor)
    }
    if let database = UdevDatabase(roots: roots).file(of: self) { record.read(database: database) }
    node = record.properties["DEVNAME"]
    properties = record.properties
    properties["SUBSYSTEM"] = subsystem
    isInitialized = record.isInitialized
    tags = record.tags
    currentTags = isInitialized ? record.currentTags : nil
    links = record.links
  }

  /// Adds the facts that do not come from udev, and removes links that lead to other devices.
  mutating func complete(_ tree: inout SysfsTree, roots: MachineRoots) {
    seat = properties["ID_SEAT"] ?? "seat0"
    driver = tree.driver(above: sysfsPath)
    bus = properties["ID_BUS"] ?? tree.bus(above: sysfsPath, besides: subsystem)
    if subsystem == "video4linux" {
      index = (try? BoundedFile.line("\(sysfsPath)/index", limit: 32)).flatMap { Int($0) }
      name = properties["ID_V4L_PRODUCT"] ?? (try? BoundedFile.line("\(sysfsPath)/name"))
      if let state = LoopbackState(at: sysfsPath) {
        (isFed, loopbackVersion) = (state.isFed, state.version)
        (isKept, mostOpenFiles) = (state.isKept, state.mostOpenFiles)
      }
    }
    name = name ?? bestName
    if let node { links = links.filter { Self.leads($0, to: node) }.sorted() }

    // If the database is missing (as in a container), the properties may still contain the tags.
    if tags.isEmpty { tags = Self.list(properties["TAGS"]) ?? [] }
    if currentTags?.isEmpty ?? true {
      if let claimed = Self.list(properties["CURRENT_TAGS"]) {
        currentTags = claimed
      } else if !tags.isEmpty {
        // Either the device has no current tags, or this version of udevd does not record them. The
        // format of the database file shows which.
        let tells = UdevDatabase(roots: roots).file(of: self).map(UdevDatabase.tellsCurrentTags)
        currentTags = tells == true ? [] : nil
      }
    }
    classify()
  }

  /// Returns whether a symbolic link in `/dev` leads to the given node.
  ///
  /// Two cameras without serial numbers claim the same link, but the link leads to only one of
  /// them.
  private static func leads(_ link: String, to node: String) -> Bool {
    guard let target = SymbolicLink.target(of: link) else { return false }
    return PathKey(SymbolicLink.resolve(target, from: link)) == PathKey(node)
  }

  /// Splits a list of tags, such as `:seat:uaccess:`.
  private static func list(_ tags: String?) -> [String]? {
    tags.map { $0.split(separator: ":").map(String.init) }
  }

  /// The best name that udev's rules or the kernel assigned.
  var bestName: String? {
    let candidates = [
      properties["ID_MODEL_FROM_DATABASE"], properties["NAME"].map(Self.unquoted),
      properties["ID_MODEL"].map { String($0.map { $0 == "_" ? " " : $0 }) },
    ]
    return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Removes the quotation marks that the input subsystem puts around names.
  private static func unquoted(_ name: String) -> String {
    guard name.count >= 2, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast())
  }
}

/// The state that v4l2loopback reports in sysfs for a virtual camera, without opening the device.
struct LoopbackState: Equatable {
  /// A Boolean value that indicates whether a program feeds the camera.
  ///
  /// The value is `nil` if the driver reports an unknown state. It comes from the `state`
  /// attribute. Before version 0.13, it comes from `format`, which is empty until a program begins
  /// to feed the camera, and then keeps its value while any program has the camera open.
  var isFed: Bool?
  /// A Boolean value that indicates whether the camera reports that it captures, but was never fed.
  ///
  /// That is possible with the control `keep_format`. Such a camera has no buffers until a program
  /// feeds it.
  var isKept = false
  var version: LoopbackVersion
  /// The maximum number of open files (`max_openers`).
  var mostOpenFiles: Int?

  /// Reads the state of a device; returns `nil` if the device is not a v4l2loopback camera.
  ///
  /// - Parameter path: The path of the device in sysfs.
  init?(at path: String) {
    // A camera is at `/sys/devices/virtual/video4linux/videoN`. Checking the path avoids reading
    // the attributes of other devices.
    let folder = AbsolutePath.parent(of: AbsolutePath.parent(of: path))
    guard folder.hasSuffix("/devices/virtual") else { return nil }
    do throws(Errno) {
      let state = try BoundedFile.line("\(path)/state", limit: 64)
      version = Self.version(of: path)
      isKept = state == "capture" && (try? BoundedFile.line("\(path)/buffers", limit: 64)) == "0"
      isFed =
        switch state {
        case "capture": !isKept
        case "output": false
        default: nil
        }
    } catch .tryAgain {
      // The driver reports neither `capture` nor `output`, so no program feeds the camera (version
      // 0.13).
      (isFed, version) = (false, Self.version(of: path))
    } catch {
      guard error == .noSuchFile,
        let format = try? BoundedFile.read("\(path)/format", limit: 64)
      else { return nil }
      (isFed, version) = (!format.bytes.isEmpty, .anyViewers)
    }
    mostOpenFiles = (try? BoundedFile.line("\(path)/max_openers", limit: 64)).flatMap { Int($0) }
  }

  private static func version(of path: String) -> LoopbackVersion {
    // This is `/sys` for a device in `/sys/devices/virtual/video4linux`.
    let root = "\(path)/../../../.."
    return LoopbackVersion(
      withState: try? BoundedFile.line("\(root)/module/v4l2loopback/version", limit: 64))
  }
}

extension DeviceKind {
  /// Returns the path that the first node of this kind usually has, for a missing device.
  ///
  /// Names that other devices of the subsystem use, such as metadata nodes, are skipped.
  func conventionalPath(besides nodes: Set<String>) -> String {
    let (stem, first) = conventionalName
    guard let first else { return stem }
    let numbers = first...(first + nodes.count)
    return numbers.lazy.map { "\(stem)\($0)" }.first { !nodes.contains($0) } ?? "\(stem)\(first)"
  }

  /// The name without its number, and the first number; the number is `nil` for a fixed name.
  private var conventionalName: (stem: String, first: Int?) {
    switch name {
    case "camera": ("/dev/video", 0)
    case "microphone": ("/dev/snd/pcmC0D0c", nil)
    case "gpu": ("/dev/dri/renderD", 128)
    case "serial": ("/dev/ttyUSB", 0)
    case "input": ("/dev/input/event", 0)
    case "hidraw": ("/dev/hidraw", 0)
    case "kvm": ("/dev/kvm", nil)
    case "usb": ("/dev/bus/usb/001/001", nil)
    default: ("/dev/\(namePrefixes.first ?? name)", 0)
    }
  }
}
