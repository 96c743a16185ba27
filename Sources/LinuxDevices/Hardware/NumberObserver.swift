internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds out what a device number stands for, without opening anything.
struct NumberObserver {
  var roots: MachineRoots

  /// Why sysfs does not tell which device has a number; `nil` when it does.
  func hiddenNumbers(isBlock: Bool) -> String? {
    let name = isBlock ? "block" : "char"
    return isDirectory("\(roots.sysfs)/dev/\(name)") ? nil : "it has no dev/\(name)"
  }

  /// What sysfs and `/proc/devices` know of a number.
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

  /// Whether a driver has a device that sysfs does not list.
  ///
  /// A driver registers its major number first, which `/proc/devices` shows. Not all of them show
  /// their devices in sysfs; every video device is shown (`__video_register_device`), and every one that
  /// shares the major number of small drivers (`misc_register`).
  private func hasDriver(_ number: DeviceNumber, isBlock: Bool) -> Bool? {
    guard let classes = deviceClasses else { return nil }
    guard classes.majors(matching: "*", isBlock: isBlock).contains(number.major) else {
      let isOnDemand = isLoadedOnDemand(number, isBlock: isBlock)
      // A character device is found by its major number alone, most often.
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
      // What hides one of them hides all.
      let names = (try? Directory.names(in: "\(roots.sysfs)/dev/char")) ?? nil
      return names?.contains { $0.hasPrefix("\(number.major):") } == true ? false : nil
    default: return nil
    }
  }

  /// A list of aliases has some megabytes; this bounds a hostile one.
  private static let listLimit = 1 << 24

  /// Whether opening a node with the number has the kernel load a module for it, and so find a driver;
  /// `nil` where the list of modules cannot be read.
  private func isLoadedOnDemand(_ number: DeviceNumber, isBlock: Bool) -> Bool? {
    // A kernel that cannot load modules has no such file.
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

  /// What drivers call themselves in `/proc/devices`, by their subsystem, where it is another name.
  private static let driverNames = ["sound": "alsa", "usb": "usb_device"]

  /// Why sysfs does not tell which devices of a subsystem there are; `nil` when it does.
  func hiddenTree(of subsystem: String) -> String? {
    guard isDirectory("\(roots.sysfs)/class") else {
      return "\(roots.sysfs) holds no classes of devices"
    }
    let places = ["class/\(subsystem)", "bus/\(subsystem)"].map { "\(roots.sysfs)/\($0)" }
    guard !places.contains(where: isDirectory) else { return nil }
    // The class exists for as long as the core of the subsystem is loaded, and its drivers have a
    // number.
    guard let drivers = deviceClasses else {
      return "neither \(roots.sysfs) nor \(roots.proc)/devices lists \(subsystem)"
    }
    let name = Self.driverNames[subsystem] ?? subsystem
    return drivers.majors(matching: name, isBlock: false).isEmpty
      ? nil : "\(roots.sysfs) hides the class \(subsystem)"
  }

  /// A list of the devices of a kind's subsystem, if it can be believed where none is of the kind.
  ///
  /// - Throws: `unavailable` where sysfs does not tell which devices there are.
  func believed(
    _ devices: [DeviceFacts], of kind: DeviceKind
  ) throws(DeviceError) -> [DeviceFacts] {
    guard kind.members(in: devices).isEmpty,
      let reason = DeviceListCheck(roots: roots).hidden(kind, besides: devices)
    else { return devices }
    throw DeviceError(unlistedBecause: reason)
  }

  /// Whether a driver has registered a major number.
  func isRegistered(_ major: UInt32) -> Bool {
    deviceClasses?.majors(matching: "*", isBlock: false).contains(major) ?? false
  }

  /// The character devices in a directory that could be video devices, and of which sysfs tells
  /// neither that they are nor that they are not.
  ///
  /// - Throws: What keeps the directory from being read.
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

  /// More entries than a `/dev` has.
  private static let mostNames = 16384

  /// The names in a directory of the character devices that have one of some numbers.
  ///
  /// - Throws: What keeps the directory from being read.
  func nodes(in directory: String, numbered numbers: Set<DeviceNumber>) throws(Errno) -> [String] {
    let names = try Directory.names(in: directory) ?? []
    return names.prefix(Self.mostNames).filter { name in
      Self.number(ofCharacterDevice: "\(directory)/\(name)").map(numbers.contains) ?? false
    }.sorted()
  }

  /// The number of a character device; `nil` for anything else, symbolic links included.
  static func number(ofCharacterDevice path: String) -> DeviceNumber? {
    var status = stat()
    guard unsafe lstat(ByteText(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFCHR
    else { return nil }
    return DeviceNumber(major: clinux_major(status.st_rdev), minor: clinux_minor(status.st_rdev))
  }

  /// The drivers and their numbers; `nil` when `/proc/devices` cannot be read.
  private var deviceClasses: DeviceClasses? {
    (try? BoundedFile.read("\(roots.proc)/devices", limit: DeviceClasses.limit))
      .map { DeviceClasses(parsing: $0.bytes) }
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
