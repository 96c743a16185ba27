internal import AccessModel

/// Reads when udev first processed a device.
struct DeviceArrival {
  var roots: MachineRoots

  /// Returns the time in the device's udev database entry (the `I:` line), in microseconds since
  /// boot.
  ///
  /// Returns `nil` if the database has no entry for the device.
  func time(of number: DeviceNumber, isBlock: Bool) -> UInt64? {
    let name = "\(isBlock ? "b" : "c")\(number.major):\(number.minor)"
    let file = try? BoundedFile.read("\(roots.run)/udev/data/\(name)", limit: 1 << 16)
    return file.flatMap { Self.time(parsing: $0.bytes) }
  }

  static func time(parsing bytes: [UInt8]) -> UInt64? {
    let key = Array("I:".utf8)
    let line = bytes.split(separator: ByteScanner.newline).first { $0.starts(with: key) }
    return line.flatMap { String(validating: $0.dropFirst(2), as: UTF8.self) }.flatMap {
      UInt64($0)
    }
  }
}
