/// Facts from the buses and the kernel modules about devices without a node.
///
/// They are observed only in these cases: no device of the wanted kind exists, sysfs does not know
/// the number of a node, udev has not finished with a device, or the device is a serial port or a
/// raw USB device. The elements are named as in sysfs and in /lib/modules.
public struct HardwareFacts: Hashable, Sendable {
  /// Hardware of the wanted kind without a driver.
  public struct Unbound: Hashable, Sendable, Codable {
    /// The path in sysfs, such as `/sys/bus/usb/devices/1-5:1.0` or `/sys/bus/pci/devices/0000:00:1f.3`.
    public var sysfsPath: String
    /// The name that the hardware reports; untrusted.
    public var name: String?
    /// The module that drives such hardware; `nil` if this kernel has none.
    public var module: String?
    /// The vendor and product IDs of the device in hexadecimal, such as `1a86:7523`.
    public var identifiers: String?
    /// The alias that udev passes to modprobe(8), such as `pci:v00008086d0000A0C8…`; `nil` for USB
    /// hardware.
    public var modalias: String?

    /// Creates the facts of hardware without a driver.
    public init(
      sysfsPath: String, name: String? = nil, module: String?, identifiers: String? = nil,
      modalias: String? = nil
    ) {
      self.sysfsPath = sysfsPath
      self.name = name
      self.module = module
      self.identifiers = identifiers
      self.modalias = modalias
    }

    private enum CodingKeys: String, CodingKey {
      case sysfsPath = "sysfs_path"
      case name
      case module
      case identifiers
      case modalias
    }

    /// The bus of the hardware, such as `usb` or `pci`, taken from its path.
    var bus: String? {
      let parts = sysfsPath.split(separator: "/")
      return parts.count == 5 && parts[1] == "bus" ? String(parts[2]) : nil
    }

    /// The name of the hardware on its bus, such as `1-5:1.0` or `0000:00:1f.3`.
    var place: String { sysfsPath.split(separator: "/").last.map(String.init) ?? "" }
  }

  /// A kernel module that would create a node.
  public struct Module: Hashable, Sendable, Codable {
    /// The module's name as `lsmod` prints it, such as `uvcvideo`.
    public var name: String
    /// A Boolean value that indicates whether the module is loaded or built in.
    public var isLoaded: Bool
    /// A Boolean value that indicates whether the module was built for the running kernel.
    public var isInstalled: Bool
    /// A Boolean value that indicates whether modprobe.d(5) prevents automatic loading.
    public var isBlacklisted: Bool
    /// The other kernels that the module was built for.
    public var otherKernels: [String]
    /// The error number of an attempt to load the module.
    ///
    /// The command never loads a module, so only handwritten facts contain this value.
    public var loadErrno: Errno?
    /// The node that the module creates, such as `/dev/net/tun`, if `modules.devname` lists it.
    public var node: String?

    /// Creates the facts of a module.
    public init(
      name: String, isLoaded: Bool, isInstalled: Bool, isBlacklisted: Bool = false,
      otherKernels: [String] = [], loadErrno: Errno? = nil, node: String? = nil
    ) {
      self.name = name
      self.isLoaded = isLoaded
      self.isInstalled = isInstalled
      self.isBlacklisted = isBlacklisted
      self.otherKernels = otherKernels
      self.loadErrno = loadErrno
      self.node = node
    }

    private enum CodingKeys: String, CodingKey {
      case name
      case isLoaded = "loaded"
      case isInstalled = "installed"
      case isBlacklisted = "blacklisted"
      case otherKernels = "other_kernels"
      case loadErrno = "load_errno"
      case node
    }
  }

  /// A setting that can switch hardware off.
  public struct Switch: Hashable, Sendable {
    /// The attribute in sysfs.
    public var path: String
    /// The value of the attribute, such as `0` or `Disable`.
    public var value: String
    /// The value that switches the hardware on; `nil` if unknown.
    public var on: String?
    /// A Boolean value that indicates whether the setting takes effect only after a reboot.
    public var needsRestart: Bool

    /// Creates a switch that is off.
    public init(path: String, value: String, on: String? = nil, needsRestart: Bool = false) {
      self.path = path
      self.value = value
      self.on = on
      self.needsRestart = needsRestart
    }
  }

  /// The hardware of the wanted kind without a driver.
  public var unbound: [Unbound] = []
  /// The modules that would create a node of the wanted kind.
  public var modules: [Module] = []
  /// The switches that are off and may hide hardware of the wanted kind.
  public var switchedOff: [Switch] = []
  /// The USB devices of the wanted kind that the kernel does not make available to drivers.
  public var usb: [USBObstacle] = []
  /// The value of `usbcore.authorized_default`; `nil` if unknown.
  ///
  /// If the value is 0, every new device needs authorization. If it is 2, only devices on internal
  /// ports need none.
  public var authorizedDefault: Int?
  /// The media controller devices, which describe a camera pipeline around its video nodes.
  public var media: [MediaDevice] = []
  /// The facts about the device numbers of nodes that belong to no listed device.
  public var numbers: [Number] = []
  /// The nodes that could be devices of the kind but are unknown to sysfs.
  public var unknownNodes: [String] = []
  /// A Boolean value that indicates whether `/run/udev/control` exists; `nil` if not observed.
  ///
  /// Without this file, no udev daemon runs, and no event can start one.
  public var hasUdevControl: Bool?
  /// A Boolean value that indicates whether a udev daemon is installed; `nil` if not observed.
  public var hasUdevDaemon: Bool?
  /// A Boolean value that indicates whether no module can be loaded until the next boot; `nil` if
  /// unknown.
  ///
  /// The value comes from `kernel.modules_disabled`.
  public var areModulesDisabled: Bool?
  /// A Boolean value that indicates whether the kernel accepts only signed modules; `nil` if
  /// unknown.
  ///
  /// The reason is `module.sig_enforce` or lockdown.
  public var areSignaturesRequired: Bool?

  /// The services that wait for a login on a serial port and keep its node, keyed by the node.
  public var keepers: [String: String] = [:]

  /// The serial ports in question, if ModemManager runs.
  public var ports: [Port] = []
  /// The hardware of the wanted kind that another driver or a program holds.
  public var held: [Held] = []
  /// The running services that take, probe or authorize devices, such as `brltty.service`.
  ///
  /// They are observed only if hardware is held or kept away.
  public var services: [String] = []
  /// The interfaces of the USB devices in question, with their drivers.
  public var interfaces: [USBInterface] = []
  /// The service that controls access to the cards in smart-card readers.
  ///
  /// The value is `nil` if no reader is in question, or if no daemon that asks polkit serves the
  /// cards.
  public var cards: CardService?

  /// Creates empty facts; a value of `nil` was not observed.
  public init() {}
}

extension HardwareFacts {
  /// Returns the module that lists a node, or else the module with the name of the node.
  func module(ofNode path: String) -> Module? {
    if let module = modules.first(where: { $0.node == path }) { return module }
    guard path.hasPrefix("/dev/") else { return nil }
    let name =
      Self.module(ofKnownNode: String(path.utf8.dropFirst(5)) ?? "")
      ?? Self.moduleName(path.split(separator: "/").last ?? "")
    return modules.first { $0.node == nil && $0.name == name }
  }

  /// Returns the module that creates the numbered nodes of a bus or of other drivers' devices.
  ///
  /// - Parameter name: The path below `/dev`, such as `i2c-1`.
  /// - Returns: The module, such as `i2c_dev`; `nil` for any other node.
  package static func module(ofNumberedNode name: String) -> String? {
    var form = ""
    for character in name {
      let isDigit = character.isASCII && character.isNumber
      if !isDigit || form.last != "#" { form.append(isDigit ? "#" : character) }
    }
    return numberedNodes[form]
  }

  /// The modules of numbered nodes, keyed by the node names with `#` for each number.
  private static let numberedNodes = [
    "cpu/#/cpuid": "cpuid", "cpu/#/msr": "msr", "i#c-#": "i2c_dev", "input/js#": "joydev",
    "ipmi#": "ipmi_devintf", "nbd#": "nbd", "parport#": "ppdev", "sg#": "sg",
    "spidev#.#": "spidev", "usbmon#": "usbmon",
  ]

  /// The modules of nodes that exist before the module is loaded, keyed by the names below `/dev`.
  ///
  /// In Linux, these modules have an alias `devname:`.
  private static let staticNodes = [
    "btrfs-control": "btrfs", "cuse": "cuse", "fuse": "fuse",
    "loop-control": "loop", "mapper/control": "dm_mod", "net/tun": "tun", "ppp": "ppp_generic",
    "snd/seq": "snd_seq", "snd/timer": "snd_timer", "uhid": "uhid", "uinput": "uinput",
    "userio": "userio", "vfio/vfio": "vfio", "vhci": "hci_vhci", "vhost-net": "vhost_net",
    "vhost-vsock": "vhost_vsock",
  ]

  /// Returns the module of a node that always has the same module, which is part of Linux.
  ///
  /// - Parameter name: The path below `/dev`.
  /// - Returns: The module, or `nil` if the node's name does not determine it.
  package static func module(ofKnownNode name: String) -> String? {
    staticNodes[name] ?? module(ofNumberedNode: name)
  }

  /// Returns `true` for a module that every distribution can build from the sources of Linux.
  static func isPartOfLinux(_ module: String) -> Bool {
    staticNodes.values.contains(module) || numberedNodes.values.contains(module)
  }

  /// Returns the name of a module as the kernel writes it, with underscores for hyphens.
  package static func moduleName(_ name: some StringProtocol) -> String {
    String(name.map { $0 == "-" ? "_" : $0 })
  }
}

extension HardwareFacts: Codable {
  private static let fields: Fields<Self> = [
    .value("unbound", \.unbound, limit: SnapshotLimits.hardware),
    .value("modules", \.modules, limit: SnapshotLimits.hardware),
    .value("switched_off", \.switchedOff, limit: SnapshotLimits.hardware),
    // Older versions know none of these members, and most machines have none of them.
    .value("usb", \.usb, limit: SnapshotLimits.hardware, omitting: []),
    .optional("authorized_default", \.authorizedDefault),
    .value("media", \.media, limit: SnapshotLimits.hardware, omitting: []),
    .value("numbers", \.numbers, limit: SnapshotLimits.hardware, omitting: []),
    .value("unknown_nodes", \.unknownNodes, limit: SnapshotLimits.hardware, omitting: []),
    .optional("udev_control", \.hasUdevControl),
    .optional("udev_daemon", \.hasUdevDaemon),
    .optional("modules_disabled", \.areModulesDisabled),
    .optional("signatures_required", \.areSignaturesRequired),
    .members("keepers", \.keepers, limit: SnapshotLimits.hardware, omitting: [:]),
    .value("held", \.held, limit: SnapshotLimits.hardware, omitting: []),
    .value("ports", \.ports, limit: SnapshotLimits.hardware, omitting: []),
    .value("services", \.services, limit: SnapshotLimits.hardware, omitting: []),
    .value("interfaces", \.interfaces, limit: SnapshotLimits.hardware, omitting: []),
    .optional("cards", \.cards),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

extension HardwareFacts.Switch: Codable {
  private static let fields: Fields<Self> = [
    .required("path", \.path),
    .required("value", \.value),
    .optional("on", \.on),
    .value("needs_restart", \.needsRestart, omitting: false),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(path: "", value: ""), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}
