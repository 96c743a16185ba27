/// A kind of device, such as a camera.
///
/// A kind consists of data only: the location of its nodes, and the permissions that programs need.
public struct DeviceKind: Hashable, Sendable {
  /// The name on the command line, such as `camera`.
  public var name: String
  /// The udev subsystem, such as `video4linux`; `nil` for a kind that is not a device.
  public var subsystem: String?
  /// The prefixes of the devices' kernel names, such as `video`; an empty array matches every name.
  public var namePrefixes: [String]
  /// The roles that nodes of this kind have; an empty set matches every role.
  public var roles: Set<DeviceRole>
  /// The permissions that programs need to use such a device.
  public var needs: Permissions

  /// Creates a kind; the command supports only those in ``all``.
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
  /// Graphics processors: render nodes, which do not need a display.
  public static let gpu = DeviceKind(
    name: "gpu", subsystem: "drm", namePrefixes: ["renderD"], roles: [], needs: [.read, .write])
  /// Serial ports, built in or connected by USB.
  public static let serial = DeviceKind(
    name: "serial", subsystem: "tty", namePrefixes: ["ttyUSB", "ttyACM", "ttyAMA", "ttyS"],
    roles: [], needs: [.read, .write])
  /// Keyboards, mice, joysticks and other input devices, which are opened only for reading.
  public static let input = DeviceKind(
    name: "input", subsystem: "input", namePrefixes: ["event", "js", "mouse"], roles: [],
    needs: .read)
  /// Raw HID devices, such as security keys and controllers.
  public static let hidraw = DeviceKind(
    name: "hidraw", subsystem: "hidraw", namePrefixes: ["hidraw"], roles: [],
    needs: [.read, .write])
  /// The kernel's virtualization interface (`/dev/kvm`).
  public static let kvm = DeviceKind(
    name: "kvm", subsystem: "misc", namePrefixes: ["kvm"], roles: [], needs: [.read, .write])
  /// Whole USB devices (`/dev/bus/usb`), as libusb opens them.
  public static let usb = DeviceKind(
    name: "usb", subsystem: "usb", namePrefixes: [], roles: [], needs: [.read, .write])
  /// The photo album: the user's pictures directory, not a device.
  public static let album = DeviceKind(
    name: "album", subsystem: nil, namePrefixes: [], roles: [],
    needs: [.read, .write, .search])

  /// All kinds, in the order of the help text.
  public static let all: [DeviceKind] = [
    .camera, .microphone, .gpu, .serial, .input, .hidraw, .kvm, .usb, .album,
  ]

  /// Returns the kind with a name from the command line; `nil` if there is none.
  public static func named(_ name: String) -> DeviceKind? {
    all.first { $0.name == name }
  }
}
