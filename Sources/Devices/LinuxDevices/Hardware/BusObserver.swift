internal import AccessModel
internal import Glibc

/// Finds hardware of a kind that has no driver, on buses other than USB.
///
/// For each device, it also finds the modules that match its modalias. It reads attributes in sysfs
/// and the list of aliases that depmod(8) created.
struct BusObserver {
  var roots: MachineRoots
  /// The kind of the hardware.
  var kind: DeviceKind

  /// Hardware without a driver, with all modules that declare support for it.
  struct Found {
    var hardware: HardwareFacts.Unbound
    var modules: [String]
    /// The driver that reserves the hardware for a virtual machine, if any.
    var keeper: String?
  }

  /// The size limit for a list of aliases, which usually has a few megabytes.
  private static let listLimit = 1 << 24
  /// The maximum number of devices; a machine usually has a few dozen without a driver.
  private static let mostDevices = 256
  private static let mostModules = 16

  /// The drivers that reserve a device for a virtual machine.
  private static let keepers: Set<String> = ["vfio-pci", "pci-stub", "xen-pciback"]

  func observe(_ reader: inout HardwareReader) -> [Found] {
    var devices: [HardwareFacts.Unbound] = []
    for bus in ["pci", "i2c", "platform"] where bus == "pci" || !kind.moduleFolders.isEmpty {
      let directory = "\(roots.sysfs)/bus/\(bus)/devices"
      for name in reader.names(in: directory) ?? [] where devices.count < Self.mostDevices {
        if let device = device(at: "\(directory)/\(name)", on: bus, &reader) {
          devices.append(device)
        }
      }
    }
    guard !devices.isEmpty else { return [] }
    let modules = modules(for: Set(devices.compactMap(\.modalias)), &reader)
    return devices.compactMap { device in
      let own = device.modalias.flatMap { modules[$0] } ?? []
      // On other buses, only the module shows what a device is.
      guard device.isOnPCI || !own.isEmpty else { return nil }
      let driver = device.isOnPCI ? reader.linkName(at: "\(device.sysfsPath)/driver") : nil
      return Found(
        hardware: device, modules: own,
        keeper: driver.flatMap { Self.keepers.contains($0) ? $0 : nil })
    }
  }

  /// Returns a device that may be of the kind; `nil` if a driver uses it.
  ///
  /// A driver that reserves the device for a virtual machine does not count.
  private func device(
    at path: String, on bus: String, _ reader: inout HardwareReader
  ) -> HardwareFacts.Unbound? {
    guard let driver = reader.linkName(at: "\(path)/driver"),
      driver.isEmpty || Self.keepers.contains(driver),
      let modalias = reader.line("\(path)/modalias"), !modalias.isEmpty
    else { return nil }
    var device = HardwareFacts.Unbound(sysfsPath: path, module: nil, modalias: modalias)
    guard bus == "pci" else {
      device.name = reader.line("\(path)/name")
      return device
    }
    guard let text = reader.line("\(path)/class"), let number = Self.hexadecimal(text),
      kind.classesOnPCI.contains(number >> 8)
    else { return nil }
    let numbers = ["vendor", "device"].compactMap { reader.line("\(path)/\($0)") }
      .map { String($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...]) }
    if numbers.count == 2, numbers.allSatisfy({ $0.utf8.count == 4 && Int($0, radix: 16) != nil }) {
      device.identifiers = numbers.joined(separator: ":")
    }
    return device
  }

  private static func hexadecimal(_ text: String) -> Int? {
    Int(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
  }

  // MARK: - Modules

  /// Returns the modules for each modalias.
  private func modules(
    for modaliases: Set<String>, _ reader: inout HardwareReader
  ) -> [String: [String]] {
    guard let release = reader.line("\(roots.proc)/sys/kernel/osrelease"), !release.isEmpty,
      !release.utf8.contains(UInt8(ascii: "/"))
    else { return [:] }
    let folder = "\(roots.modules)/\(release)"
    let search = KnownFiles.Search(path: "\(folder)/modules.alias", names: modaliases.sorted())
    let found = reader.found(search, limit: Self.listLimit) { list in
      Self.matches(in: list, of: modaliases)
    }
    let pairs = (found ?? []).sorted().compactMap { line -> (String, String)? in
      // The name of a module contains no space.
      guard let blank = line.firstIndex(of: " ") else { return nil }
      return (String(line[line.index(after: blank)...]), String(line[..<blank]))
    }
    let named = Set(pairs.map(\.1))
    let places = KnownFiles.Search(path: "\(folder)/modules.dep", names: named.sorted())
    let own = reader.found(places, limit: Self.listLimit) { list in
      Self.modules(named, in: list, below: kind.moduleFolders)
    }
    var modules: [String: [String]] = [:]
    for (modalias, module) in pairs
    where own?.contains(module) ?? false && modules[modalias, default: []].count < Self.mostModules
    {
      modules[modalias, default: []].append(module)
    }
    return modules
  }

  /// Returns the matches in the form `MODULE MODALIAS`, from lines of the form `alias PATTERN
  /// MODULE`.
  static func matches(in list: [UInt8], of modaliases: Set<String>) -> Set<String> {
    var matches: Set<String> = []
    // The part before the first colon is the bus. Comparing it first excludes most lines.
    let wanted = Dictionary(grouping: modaliases) { Array($0.utf8.prefix { $0 != 0x3A }) }
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 3, words[0].elementsEqual("alias".utf8) else { continue }
      let bus = Array(words[1].prefix { $0 != 0x3A && $0 != UInt8(ascii: "*") })
      guard let own = wanted[bus] else { continue }
      let pattern = String(decoding: words[1], as: UTF8.self)
      for modalias in own where unsafe fnmatch(pattern, modalias, 0) == 0 {
        matches.insert("\(String(decoding: words[2], as: UTF8.self)) \(modalias)")
      }
    }
    return matches
  }

  /// Returns the modules whose files are in certain folders, or in a folder for out-of-tree
  /// modules.
  static func modules(
    _ names: Set<String>, in list: [UInt8], below folders: [String]
  ) -> Set<String> {
    let paths = ModuleObserver.modules(in: list)
    return names.filter { name in
      guard let path = paths[name] else { return false }
      let isForeign = path.hasPrefix("updates/") || path.hasPrefix("extra/")
      return isForeign || folders.contains { path.contains($0) }
    }
  }
}

extension DeviceKind {
  /// The folders of the modules that create nodes of the kind.
  ///
  /// The array is empty if the folders do not identify the modules.
  fileprivate var moduleFolders: [String] {
    switch self {
    case .camera: ["/media/"]
    case .microphone: ["/sound/"]
    case .gpu: ["/gpu/"]
    case .serial: ["/tty/"]
    default: []
    }
  }

  /// The PCI class and subclass codes of the hardware (PCI Code and ID Assignment Specification).
  fileprivate var classesOnPCI: Set<Int> {
    switch self {
    case .camera: [0x0400, 0x0480]
    case .microphone: [0x0401, 0x0403]
    case .gpu: [0x0300, 0x0302, 0x0380]
    case .serial: [0x0700, 0x0702]
    default: []
    }
  }
}

extension HardwareFacts.Unbound {
  fileprivate var isOnPCI: Bool { modalias?.hasPrefix("pci:") ?? false }
}
