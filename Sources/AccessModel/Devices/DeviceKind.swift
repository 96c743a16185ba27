/// A kind of device that a person has a word for.
///
/// A kind is data: where its nodes are found and which access they need.
public struct DeviceKind: Hashable, Sendable {
  /// The word on the command line, such as `camera`.
  public var name: String
  /// The udev subsystem, such as `video4linux`; `nil` for a kind that is not a device.
  public var subsystem: String?
  /// How the kernel names of the wanted devices begin, such as `video`.
  public var namePrefixes: [String]
  /// The roles that make a node one of this kind; empty means any.
  public var roles: Set<DeviceRole>
  /// The access that programs need to use one.
  public var needs: Permissions

  /// Creates a kind; the command knows only those of ``all``.
  public init(
    name: String, subsystem: String?, namePrefixes: [String], roles: Set<DeviceRole>,
    needs: Permissions
  ) {
    self.name = name
    self.subsystem = subsystem
    self.namePrefixes = namePrefixes
    self.roles = roles
    self.needs = needs
  }

  /// Cameras: video4linux nodes that deliver pictures.
  public static let camera = DeviceKind(
    name: "camera", subsystem: "video4linux", namePrefixes: ["video"], roles: [.capture],
    needs: [.read, .write])
  /// Microphones: ALSA nodes that deliver sound.
  public static let microphone = DeviceKind(
    name: "microphone", subsystem: "sound", namePrefixes: ["pcm"], roles: [.microphone],
    needs: [.read, .write])
  /// Graphics processors: render nodes, which need no display.
  public static let gpu = DeviceKind(
    name: "gpu", subsystem: "drm", namePrefixes: ["renderD"], roles: [], needs: [.read, .write])
  /// Serial ports, built in or on USB.
  public static let serial = DeviceKind(
    name: "serial", subsystem: "tty", namePrefixes: ["ttyUSB", "ttyACM", "ttyAMA", "ttyS"],
    roles: [], needs: [.read, .write])
  /// Keyboards, mice, joysticks and other input devices, read and not injected into.
  public static let input = DeviceKind(
    name: "input", subsystem: "input", namePrefixes: ["event", "js", "mouse"], roles: [],
    needs: .read)
  /// Raw HID devices, such as security keys and controllers.
  public static let hidraw = DeviceKind(
    name: "hidraw", subsystem: "hidraw", namePrefixes: ["hidraw"], roles: [],
    needs: [.read, .write])
  /// The kernel's virtual machines, `/dev/kvm`.
  public static let kvm = DeviceKind(
    name: "kvm", subsystem: "misc", namePrefixes: ["kvm"], roles: [], needs: [.read, .write])
  /// USB devices as a whole, `/dev/bus/usb`, as libusb opens them.
  public static let usb = DeviceKind(
    name: "usb", subsystem: "usb", namePrefixes: [], roles: [], needs: [.read, .write])
  /// The photo album: the user's pictures directory, not a device.
  public static let album = DeviceKind(
    name: "album", subsystem: nil, namePrefixes: [], roles: [],
    needs: [.read, .write, .search])

  /// Every kind, in the order of the help text.
  public static let all: [DeviceKind] = [
    .camera, .microphone, .gpu, .serial, .input, .hidraw, .kvm, .usb, .album,
  ]

  /// The kind of a name on the command line.
  public static func named(_ name: String) -> DeviceKind? {
    all.first { $0.name == name }
  }
}
