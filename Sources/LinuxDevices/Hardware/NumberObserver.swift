internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds out what a device number stands for, without opening anything.
struct NumberObserver {
  var roots: MachineRoots

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
      number, isBlock: isBlock, hasDriver: isBlock ? nil : hasDriver(number))
  }

  /// Whether a driver has a character device that sysfs does not list.
  ///
  /// A driver registers its major number first, which `/proc/devices` shows. Not all of them show
  /// their devices in sysfs; every video device is shown (`__video_register_device`).
  private func hasDriver(_ number: DeviceNumber) -> Bool? {
    guard let majors = characterMajors else { return nil }
    guard majors.contains(number.major) else { return false }
    let isVideoListed =
      number.major == DeviceClasses.videoMajor && isDirectory("\(roots.sysfs)/class/video4linux")
      && isDirectory("\(roots.sysfs)/dev/char")
    return isVideoListed ? false : nil
  }

  /// Why sysfs does not tell which devices there are; `nil` when it does.
  var hiddenTree: String? {
    guard isDirectory("\(roots.sysfs)/class") else {
      return "\(roots.sysfs) holds no classes of devices"
    }
    // The class exists for as long as the core of the subsystem is loaded.
    let isLoaded = characterMajors?.contains(DeviceClasses.videoMajor) ?? false
    if isLoaded, !isDirectory("\(roots.sysfs)/class/video4linux") {
      return "\(roots.sysfs) hides the class video4linux"
    }
    return nil
  }

  /// The character devices in a directory that could be video devices, and of which sysfs tells
  /// neither that they are nor that they are not.
  func unknownNodes(
    in directory: String, named prefixes: [String], besides known: Set<DeviceNumber>
  ) -> [String] {
    let names = ((try? Directory.names(in: directory)) ?? []).filter { name in
      prefixes.contains { name.hasPrefix($0) }
    }
    return names.sorted().prefix(256).compactMap { name in
      var status = stat()
      guard unsafe lstat(ByteText("\(directory)/\(name)").cString, &status) == 0,
        status.st_mode & S_IFMT == S_IFCHR
      else { return nil }
      let number = DeviceNumber(
        major: clinux_major(status.st_rdev), minor: clinux_minor(status.st_rdev))
      guard number.major == DeviceClasses.videoMajor, !known.contains(number),
        observe(number, isBlock: false).hasDriver == nil
      else { return nil }
      return "/dev/\(name)"
    }
  }

  /// The major numbers of character devices; `nil` when `/proc/devices` cannot be read.
  private var characterMajors: Set<UInt32>? {
    guard let file = try? BoundedFile.read("\(roots.proc)/devices", limit: 1 << 16) else {
      return nil
    }
    return Set(DeviceClasses(parsing: file.bytes).majors(matching: "*", isBlock: false))
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
