internal import UdevRules

/// The facts about a device from udev and sysfs, whether or not it can be opened.
///
/// All text comes from hardware and udev rules and is untrusted. Its length is limited when it is
/// read, and it must be escaped before it is printed.
public struct DeviceFacts: Hashable, Sendable, Codable {
  /// The device node, such as `/dev/video0`; `nil` if the device has none.
  public var node: String?
  /// The node in udev's database, if the subject reaches the device by another node or by none.
  ///
  /// The value is `nil` if udev's node is ``node``.
  public var systemNode: String?
  /// The node in udev's database, regardless of the node that the subject uses.
  package var udevNode: String? { systemNode ?? node }
  /// The device with the node that it has on the host, if the subject has no node for it.
  var atOutsideNode: DeviceFacts {
    guard node == nil, number != nil, let outside = udevNode ?? properties["DEVNAME"] ?? nodeOfName
    else { return self }
    var device = self
    device.node = outside
    return device
  }

  /// The default node for the kernel name; `nil` if the subsystem uses other paths.
  private var nodeOfName: String? {
    ["tty", "video4linux", "hidraw", "block", "misc"].contains(subsystem)
      ? "/dev/\(kernelName)" : nil
  }

  /// The path in sysfs, such as `/sys/devices/…/video4linux/video0`.
  public var sysfsPath: String
  /// The subsystem (`SUBSYSTEM`), such as `video4linux`.
  public var subsystem: String
  /// The kernel's name, such as `video0`.
  public var kernelName: String
  /// The human-readable name, which is the card name or the best name among the udev properties.
  public var name: String?
  /// The driver of the nearest parent that has one.
  public var driver: String?
  /// The bus, such as `usb`, `pci` or `platform`.
  public var bus: String?
  /// The device number (`MAJOR` and `MINOR`); `nil` if the device has none.
  public var number: DeviceNumber?
  /// The `index` attribute in sysfs, which distinguishes the nodes of one camera.
  public var index: Int?
  /// The observed links below `/dev` that lead to the node.
  public var links: [String] = []
  /// The udev properties, such as `ID_V4L_CAPABILITIES`.
  public var properties: [String: String] = [:]
  /// All tags that the device has ever had (`TAGS`).
  public var tags: [String] = []
  /// The tags that currently apply (`CURRENT_TAGS`).
  ///
  /// The value is `nil` if the udev database does not list them separately (systemd before 247).
  public var currentTags: [String]?
  /// The seat (`ID_SEAT`), or `seat0` if the property is not set.
  public var seat: String
  /// A Boolean value that indicates whether udev has processed the device and applied its rules.
  public var isInitialized: Bool
  /// The `device_caps` of `VIDIOC_QUERYCAP`, if the caller explicitly asked to query the node.
  public var driverCapabilities: UInt32?
  /// A Boolean value that indicates whether the camera's privacy control blanks its pictures.
  ///
  /// The control is a shutter or a switch. The value is `nil` if the camera has no such control or
  /// was not queried.
  public var isPrivate: Bool?
  /// A Boolean value that indicates whether a virtual camera receives pictures.
  ///
  /// The value is `nil` for any other device, and if the driver does not report it.
  public var isFed: Bool?
  /// A Boolean value that indicates whether a virtual camera reports capture without a producer.
  ///
  /// The control `keep_format` has this effect.
  public var isKept = false
  /// The maximum number of open files of a virtual camera; `nil` for any other device.
  ///
  /// At the maximum, open(2) fails with `EBUSY`.
  public var mostOpenFiles: Int?
  /// The version of v4l2loopback that provides the virtual camera; `nil` for any other device.
  public var loopbackVersion: LoopbackVersion?
  /// The purpose of the node, which determines whether the device belongs to a kind.
  public var role: DeviceRole = .other
  /// The confidence in ``role``.
  public var roleConfidence: Confidence = .guess

  /// Creates the facts of a device that has no name, driver, number, links or properties.
  public init(
    node: String?, sysfsPath: String, subsystem: String, kernelName: String,
    seat: String = "seat0", isInitialized: Bool = true
  ) {
    self.node = node
    self.sysfsPath = sysfsPath
    self.subsystem = subsystem
    self.kernelName = kernelName
    self.seat = seat
    self.isInitialized = isInitialized
  }

  /// A Boolean value that indicates whether a user can unplug the device from its bus.
  package var isPluggable: Bool {
    ["usb", "firewire", "mmc", "pcmcia", "bluetooth"].contains(bus ?? "")
      || sysfsPath.contains("/usb")
  }

  /// A Boolean value that indicates whether logind gives the node to the seat's active session.
  public var isTaggedForUserAccess: Bool {
    (currentTags ?? tags).contains("uaccess")
  }

  /// A Boolean value that indicates whether udev has set up the device and stored data about it.
  var hasUdevData: Bool {
    isInitialized && !(tags.isEmpty && properties.isEmpty)
  }

  /// A Boolean value that indicates whether udev rules give such devices to the user of a seat.
  ///
  /// The rules come from systemd or from vendors. They do not give the devices to a group or to
  /// services.
  var isOfSeats: Bool { isUsuallyTagged || ["hidraw", "usb"].contains(subsystem) }

  /// A Boolean value that indicates whether systemd's own `70-uaccess.rules` tags such a device.
  var isUsuallyTagged: Bool {
    switch subsystem {
    case "video4linux", "sound", "drm", "media", "dvb": true
    case "input": kernelName.hasPrefix("js")
    case "misc": kernelName == "kvm"
    default: false
    }
  }

  /// A name or phrase for the device, for use in sentences.
  ///
  /// This is the kernel's name, unless that name denotes a USB port. In that case, it is the name
  /// that the hardware reports or, without one, a phrase with the port.
  var nameInSentences: String {
    guard subsystem == "usb" || kernelName.isUSBPlace else { return kernelName }
    return name.map { "the USB device \($0)" } ?? "the device at the USB port \(kernelName)"
  }

  /// The tags of connected snap plugs, such as `snap_firefox_firefox`.
  var snapTags: [String] { (currentTags ?? tags).filter { $0.hasPrefix("snap_") }.sorted() }

  /// Returns whether the device is below a folder of sysfs, such as `/devices/virtual/`.
  ///
  /// The function compares bytes, because `contains(_:)` prepares a search, which takes a hundred
  /// times as long as scanning one path.
  func isBelow(_ folder: String) -> Bool {
    var rest = sysfsPath.utf8[...]
    while !rest.isEmpty {
      if rest.starts(with: folder.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// A Boolean value that indicates whether a virtual camera has the capture role but may deliver
  /// no pictures.
  ///
  /// No program is known to feed such a camera. It reports capture because its format is kept, or
  /// because it was loaded without `exclusive_caps` and reports output as well.
  var isUnfedLoopback: Bool {
    guard role == .capture, isFed != true else { return false }
    return VideoDriver(of: self) == .loopback && isKept || isLoopbackWithOutput
  }

  /// A Boolean value that indicates whether the device is a virtual camera that reports that it also
  /// accepts video output, because it was loaded without `exclusive_caps`.
  var isLoopbackWithOutput: Bool {
    guard VideoDriver(of: self) == .loopback, role == .capture else { return false }
    if let driverCapabilities {
      return VideoCapabilities(rawValue: driverCapabilities).containsAny(.output)
    }
    return properties["ID_V4L_CAPABILITIES"]?.contains(":video_output:") ?? false
  }
}

extension DeviceFacts {
  /// Returns whether this device has replaced an earlier one at the same path in sysfs.
  ///
  /// One device can be removed and another one added between two observations. The name, the device
  /// number and the serial number are compared if udev has processed both devices. If the paths
  /// differ, so do the devices.
  package func hasReplaced(_ before: DeviceFacts) -> Bool {
    guard sysfsPath == before.sysfsPath, isInitialized, before.isInitialized else {
      return sysfsPath != before.sysfsPath
    }
    func differs<Value: Equatable>(_ now: Value?, _ before: Value?) -> Bool {
      guard let now, let before else { return false }
      return now != before
    }
    let serial = "ID_SERIAL"
    return differs(name, before.name) || differs(number, before.number)
      || differs(properties[serial], before.properties[serial])
  }
}

extension [DeviceFacts] {
  /// Returns the devices with the nodes through which the subject reaches them.
  ///
  /// A device is identified by its number, not by its name. For example, a container may have the
  /// host's `/dev/video1` as its `/dev/video0`. If another of these devices has taken a device's
  /// name, and the device has no other node, its node is `nil`. Otherwise, a device that is not
  /// found at any path keeps its name.
  ///
  /// - Parameter ends: The objects at the ends of the walked paths, by path.
  /// - Returns: The devices, in the same order.
  package func placed(at ends: [String: Node]) -> [DeviceFacts] {
    guard contains(where: { $0.isElsewhere(in: ends) != false }) else { return self }
    var places: [DeviceNumber: String] = [:]
    for (path, end) in ends.sorted(by: { $0.key < $1.key }) where end.type == .characterDevice {
      if let number = end.rdev, places[number] == nil { places[number] = path }
    }
    let numbers = Set(compactMap(\.number))
    return map { device in
      guard let number = device.number, let node = device.node,
        device.isElsewhere(in: ends) != false
      else { return device }
      let end = ends[node].flatMap { $0.type == .characterDevice ? $0 : nil }
      let isTaken = end?.rdev.map(numbers.contains) ?? false
      guard let place = places[number] ?? (isTaken ? nil : node) else {
        return device.moved(to: nil)
      }
      return place == node ? device : device.moved(to: place)
    }
  }

  /// Returns the devices, with the nodes through which the subject reaches the devices of one kind.
  ///
  /// If no existing name leads to a candidate of the kind, other names are searched for.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - end: Returns the object at the end of a path; `nil` if nothing is found.
  ///   - others: Returns the paths of the nodes in the subject's `/dev` that have one of the given
  ///     numbers.
  /// - Returns: The devices, in the same order.
  package func placed(
    of kind: DeviceKind, end: (String) -> Node?, others: (Set<DeviceNumber>) -> [String]
  ) -> [DeviceFacts] {
    var ends: [String: Node] = [:]
    // Include the nodes of other roles, because a list shows the access to each of them.
    for node in kind.members(in: self).compactMap(\.node) { ends[node] = end(node) }
    let wanted = Set(kind.candidates(in: self).compactMap(\.number))
    let isFound = ends.values.contains { end in
      end.type == .characterDevice && end.rdev.map(wanted.contains) ?? false
    }
    if !wanted.isEmpty, !isFound {
      for path in others(wanted) { ends[path] = end(path) }
    }
    return placed(at: ends)
  }
}

extension DeviceFacts {
  /// Returns whether the object at the device's node is not the device; `nil` if this is not known.
  fileprivate func isElsewhere(in ends: [String: Node]) -> Bool? {
    guard let number, let end = node.flatMap({ ends[$0] }) else { return nil }
    return end.type != .characterDevice || end.rdev != number
  }

  /// Returns the device with another node.
  ///
  /// The links are removed, because they lead to the node outside.
  fileprivate func moved(to path: String?) -> DeviceFacts {
    var device = self
    device.systemNode = node
    device.node = path
    device.links = []
    return device
  }
}

extension DeviceFacts {
  private static let fields: Fields<Self> = [
    .optional("node", \.node),
    .optional("system_node", \.systemNode),
    .required("sysfs_path", \.sysfsPath),
    .required("subsystem", \.subsystem),
    .required("kernel_name", \.kernelName),
    .optional("name", \.name),
    .optional("driver", \.driver),
    .optional("bus", \.bus),
    .optional("number", \.number),
    .optional("index", \.index),
    .value("links", \.links),
    .members("properties", \.properties),
    .value("tags", \.tags),
    .optional("current_tags", \.currentTags),
    .value("seat", \.seat),
    .value("is_initialized", \.isInitialized),
    .optional("driver_capabilities", \.driverCapabilities),
    .optional("privacy", \.isPrivate),
    .optional("fed", \.isFed),
    .value("kept", \.isKept, omitting: false),
    .optional("most_open_files", \.mostOpenFiles),
    .optional("loopback_version", \.loopbackVersion),
    .derived("role", \.role),
    .derived("role_confidence", \.roleConfidence),
  ]

  public init(from decoder: any Decoder) throws {
    let device = Self(node: nil, sysfsPath: "", subsystem: "", kernelName: "")
    self = try Self.fields.decode(device, from: decoder)
    // The role is derived from the other facts, so the role in the document is ignored.
    classify()
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

extension String {
  /// A Boolean value that indicates whether the string is the name of a USB device or interface.
  ///
  /// Examples are `1-4.2` and `1-4.2:1.0`.
  var isUSBPlace: Bool {
    let halves = split(separator: ":", omittingEmptySubsequences: false)
    guard let first = halves.first, halves.count <= 2 else { return false }
    let hub = first.split(separator: "-", omittingEmptySubsequences: false)
    guard hub.count == 2, hub[0].isNumber,
      hub[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(\.isNumber)
    else { return false }
    return halves.count == 1
      || halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(\.isNumber)
  }
}

extension StringProtocol {
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy(\.isDecimal) }
}
