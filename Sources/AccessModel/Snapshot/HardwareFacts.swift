/// What the bus and the kernel's modules say where a device has no node.
///
/// Observed only when there is no device of the wanted kind, when sysfs does not know the number
/// of a node, when udev has not finished with a device, or of serial ports and raw USB devices. What
/// an element holds is named as in sysfs and in /lib/modules.
public struct HardwareFacts: Hashable, Sendable {
  /// Hardware of the wanted kind to which no driver is bound.
  public struct Unbound: Hashable, Sendable, Codable {
    /// The path in sysfs, such as `/sys/bus/usb/devices/1-5:1.0` or `/sys/bus/pci/devices/0000:00:1f.3`.
    public var sysfsPath: String
    /// What the hardware calls itself; untrusted.
    public var name: String?
    /// The module that drives such hardware; `nil` where this kernel has none.
    public var module: String?
    /// Vendor and product of the device in hexadecimal, such as `1a86:7523`.
    public var identifiers: String?
    /// By what udev asks modprobe(8) for a module, such as `pci:v00008086d0000A0C8…`; `nil` for
    /// hardware on USB.
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

    /// The bus that it is on, such as `usb` or `pci`, by its path.
    var bus: String? {
      let parts = sysfsPath.split(separator: "/")
      return parts.count == 5 && parts[1] == "bus" ? String(parts[2]) : nil
    }

    /// Its name on the bus, such as `1-5:1.0` or `0000:00:1f.3`.
    var place: String { sysfsPath.split(separator: "/").last.map(String.init) ?? "" }
  }

  /// A kernel module that would make a node.
  public struct Module: Hashable, Sendable, Codable {
    /// The module's name as `lsmod` prints it, such as `uvcvideo`.
    public var name: String
    /// Whether it is in the running kernel, loaded or built in.
    public var isLoaded: Bool
    /// Whether it was built for the running kernel.
    public var isInstalled: Bool
    /// Whether modprobe.d(5) keeps it from being loaded by itself.
    public var isBlacklisted: Bool
    /// The other kernels that it was built for.
    public var otherKernels: [String]
    /// The error number of an attempt to load it.
    ///
    /// The command never loads a module, so it is only ever recorded by hand.
    public var loadErrno: Errno?
    /// The node that the module makes, such as `/dev/net/tun`, where `modules.devname` tells it.
    public var node: String?

    /// Creates the facts of a module, which no configuration keeps away unless said otherwise.
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

  /// A setting that keeps hardware away.
  public struct Switch: Hashable, Sendable {
    /// The attribute in sysfs.
    public var path: String
    /// What it says, such as `0` or `Disable`.
    public var value: String
    /// What to write into it to switch the hardware on; `nil` when that is not known.
    public var on: String?
    /// Whether the firmware reads it only at its next start.
    public var needsRestart: Bool

    /// Creates a switch that is off.
    public init(path: String, value: String, on: String? = nil, needsRestart: Bool = false) {
      self.path = path
      self.value = value
      self.on = on
      self.needsRestart = needsRestart
    }
  }

  /// The hardware of the wanted kind to which no driver is bound.
  public var unbound: [Unbound] = []
  /// The modules that would make a node of the wanted kind.
  public var modules: [Module] = []
  /// The switches that are off and may keep hardware of the wanted kind away.
  public var switchedOff: [Switch] = []
  /// The USB devices that the kernel keeps from every driver.
  public var usb: [USBObstacle] = []
  /// `usbcore.authorized_default`: 0 when new devices have to be authorized one by one, 2 when
  /// only those of internal ports need not; `nil` when unknown.
  public var authorizedDefault: Int?
  /// The media controller devices: what a camera pipeline has beside its video nodes.
  public var media: [MediaDevice] = []
  /// What sysfs knows of the numbers of nodes that belong to no listed device.
  public var numbers: [Number] = []
  /// Nodes that could be devices of the kind, and about which sysfs says nothing.
  public var unknownNodes: [String] = []
  /// Whether `/run/udev/control` exists, without which no udev daemon runs or can be started by
  /// an event; `nil` when that was not looked at.
  public var hasUdevControl: Bool?
  /// Whether a udev daemon is installed; `nil` when that was not looked at.
  public var hasUdevDaemon: Bool?
  /// `kernel.modules_disabled`: no module can be loaded until the next boot; `nil` when unknown.
  public var areModulesDisabled: Bool?
  /// Whether only signed modules are taken: `module.sig_enforce`, or lockdown; `nil` when unknown.
  public var areSignaturesRequired: Bool?

  /// The services that wait for a login on a serial port and keep its node, by the node.
  public var keepers: [String: String] = [:]

  /// The serial ports in question, where ModemManager runs.
  public var ports: [Port] = []
  /// The hardware of the wanted kind that another driver, or a program, has.
  public var held: [Held] = []
  /// The services that take, probe or authorize devices of others, and that run, such as
  /// `brltty.service`; looked for where hardware is held or kept away.
  public var services: [String] = []
  /// The interfaces of the USB devices in question, with their drivers.
  public var interfaces: [USBInterface] = []
  /// Who may use the cards in smart-card readers; `nil` without a reader in question, and where no
  /// daemon that asks polkit serves them.
  public var cards: CardService?

  /// Creates facts that know of nothing; what is `nil` was not looked at.
  public init() {}
}

extension HardwareFacts {
  /// The module that makes a node: the one that lists it, or else the one with its name.
  func module(ofNode path: String) -> Module? {
    if let module = modules.first(where: { $0.node == path }) { return module }
    guard path.hasPrefix("/dev/") else { return nil }
    let name =
      Self.module(ofNumberedNode: String(path.utf8.dropFirst(5)) ?? "")
      ?? Self.moduleName(path.split(separator: "/").last ?? "")
    return modules.first { $0.node == nil && $0.name == name }
  }

  /// The module that makes the numbered nodes of a bus or of other drivers' devices.
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

  /// The modules of numbered nodes, by their names with `#` for each number.
  private static let numberedNodes = [
    "cpu/#/cpuid": "cpuid", "cpu/#/msr": "msr", "i#c-#": "i2c_dev", "input/js#": "joydev",
    "ipmi#": "ipmi_devintf", "nbd#": "nbd", "parport#": "ppdev", "sg#": "sg",
    "spidev#.#": "spidev", "usbmon#": "usbmon",
  ]

  /// The name of a module as the kernel writes it: with underscores for hyphens, as in the names of
  /// drivers and nodes.
  package static func moduleName(_ name: some StringProtocol) -> String {
    String(name.map { $0 == "-" ? "_" : $0 })
  }
}
