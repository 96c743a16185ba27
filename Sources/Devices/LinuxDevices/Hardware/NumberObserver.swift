internal import AccessModel
internal import CLinux
internal import Glibc

/// Determines what a device number stands for, without opening a device.
struct NumberObserver {
  var roots: MachineRoots

  /// Returns the reason why sysfs does not show which device has a number; `nil` if it does.
  func hiddenNumbers(isBlock: Bool) -> String? {
    let name = isBlock ? "block" : "char"
    return isDirectory("\(roots.sysfs)/dev/\(name)") ? nil : "it has no dev/\(name)"
  }

  /// Returns what sysfs and `/proc/devices` show about a number.
  func observe(_ number: DeviceNumber, isBlock: Bool) -> HardwareFacts.Number {
    let type = isBlock ? "block" : "char"
    let link = "\(roots.sysfs)/dev/\(type)/\(number.major):\(number.minor)"
    if let target = SymbolicLink.target(of: link) {
      let path = SymbolicLink.resolve(target, from: link)
      let subsystem = SymbolicLink.target(of: "\(path)/subsystem")?.split(separator: "/").last
      return HardwareFacts.Number(
        number, isBlock: isBlock, subsystem: subsystem.map(String.init), hasDriver: true)
    }
    return HardwareFacts.Number(
      number, isBlock: isBlock, hasDriver: hasDriver(number, isBlock: isBlock))
  }

  /// Returns whether a driver has a device that sysfs does not list; `nil` if that is unknown.
  ///
  /// A driver first registers its major number, which `/proc/devices` shows. Not all drivers show
  /// their devices in sysfs. However, every video device is shown (`__video_register_device`), and
  /// so is every device with the major number for miscellaneous drivers (`misc_register`).
  private func hasDriver(_ number: DeviceNumber, isBlock: Bool) -> Bool? {
    guard let classes = deviceClasses else { return nil }
    guard classes.majors(matching: "*", isBlock: isBlock).contains(number.major) else {
      let isOnDemand = isLoadedOnDemand(number, isBlock: isBlock)
      // If the list of modules is unreadable, the answer is unknown only for a block device. The
      // driver of a character device usually registers its major number in advance.
      return isOnDemand ?? isBlock ? nil : false
    }
    guard !isBlock else { return nil }
    switch number.major {
    case DeviceClasses.videoMajor:
      let isListed =
        isDirectory("\(roots.sysfs)/class/video4linux") && isDirectory("\(roots.sysfs)/dev/char")
      return isListed ? false : nil
    case DeviceClasses.miscMajor:
      guard isLoadedOnDemand(number, isBlock: false) == false else { return nil }
      // If sysfs hides one of these devices, it hides all of them.
      let names = (try? Directory.names(in: "\(roots.sysfs)/dev/char")) ?? nil
      return names?.contains { $0.hasPrefix("\(number.major):") } == true ? false : nil
    default: return nil
    }
  }

  /// The size limit for a list of aliases, which usually has a few megabytes.
  private static let listLimit = 1 << 24

  /// Returns whether the kernel loads a module when a node with the number is opened.
  ///
  /// The module may then provide a driver. The result is `nil` if the list of modules cannot be
  /// read.
  private func isLoadedOnDemand(_ number: DeviceNumber, isBlock: Bool) -> Bool? {
    // A kernel without loadable modules has no such file.
    var status = stat()
    if unsafe stat("\(roots.proc)/modules", &status) != 0, errno == ENOENT { return false }
    let osRelease = "\(roots.proc)/sys/kernel/osrelease"
    guard let release = try? BoundedFile.line(osRelease, limit: 256), !release.isEmpty,
      !release.utf8.contains(UInt8(ascii: "/")),
      let list = try? BoundedFile.read(
        "\(roots.modules)/\(release)/modules.alias", limit: Self.listLimit)
    else { return nil }
    let stem = "alias \(isBlock ? "block" : "char")-major-\(number.major)-"
    let ends = ["\(number.minor) ", "* "].map { Array((stem + $0).utf8) }
    return list.bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      ends.contains { line.starts(with: $0) }
    }
  }

  /// The names of drivers in `/proc/devices`, for subsystems with a different name.
  private static let driverNames = ["sound": "alsa", "usb": "usb_device"]

  /// Returns the reason why sysfs does not show the devices of a subsystem; `nil` if it does.
  func hiddenTree(of subsystem: String) -> String? {
    guard isDirectory("\(roots.sysfs)/class") else {
      return "\(roots.sysfs) holds no classes of devices"
    }
    let places = ["class/\(subsystem)", "bus/\(subsystem)"].map { "\(roots.sysfs)/\($0)" }
    guard !places.contains(where: isDirectory) else { return nil }
    // The class exists as long as the core of the subsystem is loaded, and its drivers have a
    // number.
    guard let drivers = deviceClasses else {
      return "neither \(roots.sysfs) nor \(roots.proc)/devices lists \(subsystem)"
    }
    let name = Self.driverNames[subsystem] ?? subsystem
    return drivers.majors(matching: name, isBlock: false).isEmpty
      ? nil : "\(roots.sysfs) hides the class \(subsystem)"
  }

  /// Returns the devices in the subsystem of a kind, unless the list may be incomplete.
  ///
  /// - Throws: `unavailable` if no listed device is of the kind, but sysfs may hide devices.
  func believed(
    _ devices: [DeviceFacts], of kind: DeviceKind
  ) throws(DeviceError) -> [DeviceFacts] {
    guard kind.members(in: devices).isEmpty,
      let reason = DeviceListCheck(roots: roots).hidden(kind, besides: devices)
    else { return devices }
    throw DeviceError(unlistedBecause: reason)
  }

  /// Returns whether a driver has registered a major number for character devices.
  func isRegistered(_ major: UInt32) -> Bool {
    deviceClasses?.majors(matching: "*", isBlock: false).contains(major) ?? false
  }

  /// Returns the character devices in a directory that may be video devices.
  ///
  /// sysfs does not show whether they are.
  ///
  /// - Throws: The error from reading the directory.
  func unknownNodes(
    in directory: String, named prefixes: [String], besides known: Set<DeviceNumber>
  ) throws(Errno) -> [String] {
    let names = (try Directory.names(in: directory) ?? []).filter { name in
      prefixes.contains { name.hasPrefix($0) }
    }
    return names.sorted().prefix(256).compactMap { name in
      guard let number = Self.number(ofCharacterDevice: "\(directory)/\(name)"),
        number.major == DeviceClasses.videoMajor, !known.contains(number),
        observe(number, isBlock: false).hasDriver == nil
      else { return nil }
      return "/dev/\(name)"
    }
  }

  /// The maximum number of names to read, which is more than any `/dev` contains.
  private static let mostNames = 16384

  /// Returns the names of the character devices in a directory that have one of the given numbers.
  ///
  /// - Throws: The error from reading the directory.
  func nodes(in directory: String, numbered numbers: Set<DeviceNumber>) throws(Errno) -> [String] {
    let names = try Directory.names(in: directory) ?? []
    return names.prefix(Self.mostNames).filter { name in
      Self.number(ofCharacterDevice: "\(directory)/\(name)").map(numbers.contains) ?? false
    }.sorted()
  }

  /// Returns the number of a character device; `nil` for any other object, including a symbolic
  /// link.
  static func number(ofCharacterDevice path: String) -> DeviceNumber? {
    var status = stat()
    guard unsafe lstat(ByteText(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFCHR
    else { return nil }
    return DeviceNumber(major: clinux_major(status.st_rdev), minor: clinux_minor(status.st_rdev))
  }

  /// The drivers and their numbers; `nil` if `/proc/devices` cannot be read.
  private var deviceClasses: DeviceClasses? {
    (try? BoundedFile.read("\(roots.proc)/devices", limit: DeviceClasses.limit))
      .map { DeviceClasses(parsing: $0.bytes) }
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
