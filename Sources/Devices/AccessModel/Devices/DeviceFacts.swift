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

  /// The name of the device in sentences.
  ///
  /// This is the kernel's name, or the name that the hardware reports if the kernel's name denotes
  /// a USB port.
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
    guard VideoDriver(of: self) == .loopback, role == .capture, isFed != true else { return false }
    if isKept { return true }
    if let driverCapabilities {
      return VideoCapabilities(rawValue: driverCapabilities).containsAny(.output)
    }
    return properties["ID_V4L_CAPABILITIES"]?.contains(":video_output:") ?? false
  }
}
