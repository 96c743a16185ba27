internal import AccessModel

extension DeviceFacts {
  /// The role, followed by its confidence unless the driver confirmed the role.
  var roleText: String {
    roleConfidence == .certain ? role.rawValue : "\(role.rawValue) (\(roleConfidence.rawValue))"
  }

  /// Returns the name, followed by details that distinguish similar devices.
  ///
  /// The details are the port, the serial number, the driver, and the seat unless it is `seat0`.
  func summary(_ style: Style) -> String {
    var parts: [String] = []
    if let place { parts.append(style.safe(place, limit: 64)) }
    if let serial { parts.append("serial " + style.safe(serial, limit: 64)) }
    if let driver { parts.append("driver " + style.safe(driver, limit: 64)) }
    if seat != "seat0" { parts.append(style.safe(seat, limit: 32)) }
    let title = style.safe(name ?? kernelName, limit: 64)
    return parts.isEmpty ? title : "\(title) (\(parts.joined(separator: ", ")))"
  }

  /// The location of the hardware, such as `usb 1-6` or `pci 0000:00:02.0`.
  var place: String? {
    if let port = hardware?.name, hardware?.isUSB == true { return "usb \(port)" }
    if let address = hardware?.name { return "pci \(address)" }
    return bus.map { "bus \($0)" }
  }

  /// The serial number of the hardware; without one, `ID_SERIAL` would only repeat the model.
  private var serial: String? {
    properties["ID_SERIAL_SHORT"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sysfs path of the hardware that the node belongs to.
  ///
  /// All nodes of one camera have the same path. A device that is not on USB or PCI is assumed to
  /// have only one node.
  var hardwarePath: String { hardware?.path ?? sysfsPath }

  /// The nearest USB device or PCI function among the parents.
  private var hardware: (path: String, name: String, isUSB: Bool)? {
    let parts = sysfsPath.split(separator: "/")
    for part in parts.reversed() {
      let isUSB = Self.isPort(part)
      guard isUSB || Self.isPCIAddress(part) else { continue }
      return (String(sysfsPath[..<part.endIndex]), String(part), isUSB)
    }
    return nil
  }

  /// Returns whether a path component names a USB device, such as `1-6` or `3-1.2`.
  ///
  /// `1-6:1.0` is an interface of a USB device.
  private static func isPort(_ part: Substring) -> Bool {
    let halves = part.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, let first = halves.first, let last = halves.last else { return false }
    return !first.isEmpty && first.utf8.allSatisfy(isDigit) && last.utf8.first.map(isDigit) == true
      && last.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  /// Returns whether a path component names a PCI function, such as `0000:00:02.0`.
  private static func isPCIAddress(_ part: Substring) -> Bool {
    let bytes = Array(part.utf8)
    return bytes.count == 12 && bytes[4] == UInt8(ascii: ":") && bytes[7] == UInt8(ascii: ":")
      && bytes[10] == UInt8(ascii: ".")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension FileType {
  /// The letter for the type in the output of `ls -l`.
  var letter: String {
    switch self {
    case .directory: "d"
    case .regular: "-"
    case .characterDevice: "c"
    case .blockDevice: "b"
    case .fifo: "p"
    case .socket: "s"
    case .symbolicLink: "l"
    }
  }

  /// The type in words.
  var words: String {
    switch self {
    case .directory: "directory"
    case .regular: "regular file"
    case .characterDevice: "character device"
    case .blockDevice: "block device"
    case .fifo: "FIFO"
    case .socket: "socket"
    case .symbolicLink: "symbolic link"
    }
  }
}

extension Node {
  /// The type and mode in the format of `ls -l`, with `+` for an access control list.
  ///
  /// If the mode or the ACL was not observed, question marks replace it.
  var modeText: String {
    guard !unobserved.contains(.status) else { return type.letter + "?????????" }
    func bits(_ shift: UInt16, _ special: UInt16, _ letter: String) -> String {
      let permissions = Permissions(rawValue: UInt8(mode >> shift & 7))
      guard mode & special != 0 else { return permissions.description }
      return permissions.description.dropLast()
        + (permissions.contains(.execute) ? letter : letter.uppercased())
    }
    var text = type.letter + bits(6, 0o4000, "s") + bits(3, 0o2000, "s") + bits(0, 0o1000, "t")
    if acl != nil {
      text += "+"
    } else if unobserved.contains(.acl) {
      text += "?"
    }
    return text
  }

  /// The last component of the path; `/` for the root.
  var name: Substring {
    path == "/" ? path[...] : path.split(separator: "/").last ?? path[...]
  }
}

extension ACLEntry {
  /// Returns the entry in the format of getfacl(1).
  func text(_ names: ShownNames, _ style: Style) -> String {
    let qualifier =
      switch (tag, id) {
      case (.user, let id?): names.user(id, style)
      case (.group, let id?): names.group(id, style)
      default: ""
      }
    return "\(tag.word):\(qualifier):\(permissions)"
  }

  /// A Boolean value that indicates whether the mask limits this entry.
  ///
  /// It limits named users and all groups, but not the owner and others.
  var isMasked: Bool {
    tag == .group || (tag == .user && id != nil)
  }
}
