/// What udev and sysfs tell of one device, whether or not it may be opened.
///
/// All text comes from hardware and rules and is untrusted: bounded when it was read, and to be
/// escaped where it is printed.
public struct DeviceFacts: Hashable, Sendable, Codable {
  /// The device node, such as `/dev/video0`; `nil` when the device has none.
  public var node: String?
  /// The node that udev knows, where the subject reaches the device by another one, or by none;
  /// `nil` where ``node`` is that.
  public var systemNode: String?
  /// The node that udev knows, by whichever one the subject reaches the device.
  package var udevNode: String? { systemNode ?? node }
  /// The device with the node that it has outside, where the subject reaches it by none.
  var atOutsideNode: DeviceFacts {
    guard node == nil, number != nil, let outside = udevNode ?? properties["DEVNAME"] ?? nodeOfName
    else { return self }
    var device = self
    device.node = outside
    return device
  }

  /// The node that a device of such a name has; `nil` for subsystems that put theirs elsewhere.
  private var nodeOfName: String? {
    ["tty", "video4linux", "hidraw", "block", "misc"].contains(subsystem)
      ? "/dev/\(kernelName)" : nil
  }

  /// The path in sysfs, such as `/sys/devices/…/video4linux/video0`.
  public var sysfsPath: String
  /// The subsystem in udev's and the kernel's words (`SUBSYSTEM`), such as `video4linux`.
  public var subsystem: String
  /// The kernel's name, such as `video0`.
  public var kernelName: String
  /// What people call it: the card name, or the best of the udev properties.
  public var name: String?
  /// The driver of the nearest parent that has one.
  public var driver: String?
  /// The bus, such as `usb`, `pci` or `platform`.
  public var bus: String?
  /// The device number (`MAJOR` and `MINOR`); `nil` when the device has no node.
  public var number: DeviceNumber?
  /// The `index` attribute in sysfs, which distinguishes the nodes of one camera.
  public var index: Int?
  /// The links below `/dev` that lead to the node, read and not only claimed.
  public var links: [String] = []
  /// The udev properties, such as `ID_V4L_CAPABILITIES`.
  public var properties: [String: String] = [:]
  /// `TAGS`: every tag that the device ever had.
  public var tags: [String] = []
  /// `CURRENT_TAGS`: the tags that hold now; `nil` where the udev database does not tell them
  /// apart (systemd before 247).
  public var currentTags: [String]?
  /// `ID_SEAT`, `seat0` when there is none.
  public var seat: String
  /// Whether udev has finished with the device and applied its rules.
  public var isInitialized: Bool
  /// `device_caps` of `VIDIOC_QUERYCAP`, when the node was asked on an explicit request.
  public var driverCapabilities: UInt32?
  /// Whether the camera's privacy control is on, so that its pictures are blank: a shutter or a
  /// switch; `nil` when it has none, or was not asked.
  public var isPrivate: Bool?
  /// Whether a virtual camera gets pictures; `nil` for any other device, and where the driver does
  /// not tell.
  public var isFed: Bool?
  /// Whether a virtual camera says that it captures although nobody feeds it, as a control has it
  /// (`keep_format`).
  public var isKept = false
  /// How many open files of a virtual camera there can be: open(2) of one more is `EBUSY`; `nil` for
  /// any other device.
  public var mostOpenFiles: Int?
  /// Which v4l2loopback makes the virtual camera; `nil` for any other device.
  public var loopbackVersion: LoopbackVersion?
  /// What the node is for; only some roles make it a device of a kind.
  public var role: DeviceRole = .other
  /// How sure ``role`` is.
  public var roleConfidence: Confidence = .guess

  /// Creates the facts of a device without name, driver, number, links and properties.
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

  /// Whether the device is on a bus from which a person can unplug it.
  package var isPluggable: Bool {
    ["usb", "firewire", "mmc", "pcmcia", "bluetooth"].contains(bus ?? "")
      || sysfsPath.contains("/usb")
  }

  /// Whether logind gives the node to the active session of its seat.
  public var isTaggedForUserAccess: Bool {
    (currentTags ?? tags).contains("uaccess")
  }

  /// Whether udev has set the device up and its database has something to say of it.
  var hasUdevData: Bool {
    isInitialized && !(tags.isEmpty && properties.isEmpty)
  }

  /// Whether rules give such devices to the user of the seat, those of systemd or of vendors,
  /// and not to a group or to services.
  var isOfSeats: Bool { isUsuallyTagged || ["hidraw", "usb"].contains(subsystem) }

  /// Whether systemd's own `70-uaccess.rules` tags such a device.
  var isUsuallyTagged: Bool {
    switch subsystem {
    case "video4linux", "sound", "drm", "media", "dvb": true
    case "input": kernelName.hasPrefix("js")
    case "misc": kernelName == "kvm"
    default: false
    }
  }

  /// The device as sentences call it: the kernel's name, or what the hardware calls itself where that is
  /// the name of a USB port.
  var nameInSentences: String {
    guard subsystem == "usb" || kernelName.isUSBPlace else { return kernelName }
    return name.map { "the USB device \($0)" } ?? "the device at the USB port \(kernelName)"
  }

  /// The tags of connected snap plugs, such as `snap_firefox_firefox`.
  var snapTags: [String] { (currentTags ?? tags).filter { $0.hasPrefix("snap_") }.sorted() }

  /// Whether it has a place below a folder of sysfs, such as `/devices/virtual/`.
  ///
  /// It compares bytes: `contains(_:)` prepares a search, which takes a hundred times as long as
  /// to look through one path.
  func isBelow(_ folder: String) -> Bool {
    var rest = sysfsPath.utf8[...]
    while !rest.isEmpty {
      if rest.starts(with: folder.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether a virtual camera says that it captures and takes pictures at once, as one does that
  /// was loaded without `exclusive_caps`: its capturing then means nothing.
  var isUnfedLoopback: Bool {
    guard VideoDriver(of: self) == .loopback, role == .capture, isFed != true else { return false }
    if isKept { return true }
    if let driverCapabilities {
      return VideoCapabilities(rawValue: driverCapabilities).containsAny(.output)
    }
    return properties["ID_V4L_CAPABILITIES"]?.contains(":video_output:") ?? false
  }
}
