internal import CSystemd
internal import Glibc

/// The name of the socket that a bus listens on.
struct BusSocketName: Equatable {
  /// The bytes of `sun_path`; of an abstract name the first is zero.
  let bytes: [UInt8]

  /// Takes the first socket that an address names.
  ///
  /// The form is that of the D-Bus specification, chapter "Server Addresses": `unix:path=/run/user/1000/bus`
  /// or `unix:abstract=name`, several with `;` between them, and `%` before two hexadecimal digits for a
  /// byte. The value is `nil` where it names none, or one that is too long for the kernel.
  init?(address: String) {
    let names = address.utf8.split(separator: UInt8(ascii: ";")).lazy.compactMap(Self.name)
    guard let name = names.first else { return nil }
    // The kernel needs no zero byte at the end of an abstract name, and other programs none of a path.
    guard name.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    bytes = name
  }

  private static func name(_ address: Substring.UTF8View) -> [UInt8]? {
    let transport = "unix:".utf8
    guard address.starts(with: transport) else { return nil }
    for pair in address.dropFirst(transport.count).split(separator: UInt8(ascii: ",")) {
      for (key, first) in [("path=", []), ("abstract=", [0])] as [(String, [UInt8])]
      where pair.starts(with: key.utf8) {
        guard let value = decoded(pair.dropFirst(key.utf8.count)), !value.isEmpty,
          !value.contains(0)
        else { return nil }
        return first + value
      }
    }
    return nil
  }

  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(Substring(rest.prefix(2)), radix: 16) else {
        return nil
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// The socket of the user's bus, or of the system's, as sd-bus(3) finds it.
  static func standard(_ address: BusAddress) -> BusSocketName? {
    if let text = text(of: address) { return BusSocketName(address: text) }
    return switch address {
    case .at: nil
    case .system: BusSocketName(path: "/run/dbus/system_bus_socket")
    case .user: setting("XDG_RUNTIME_DIR").flatMap { BusSocketName(path: "\($0)/bus") }
    }
  }

  /// The address as somebody has set it; `nil` where nobody has.
  private static func text(of address: BusAddress) -> String? {
    switch address {
    case .at(let address): address
    case .system: setting("DBUS_SYSTEM_BUS_ADDRESS")
    case .user: setting("DBUS_SESSION_BUS_ADDRESS")
    }
  }

  /// Whether an address names sockets of this machine alone.
  ///
  /// sd-bus(3) knows others as well: `unixexec:` runs a program.
  static func isOfSockets(_ address: BusAddress) -> Bool {
    text(of: address)?.split(separator: ";").allSatisfy { $0.hasPrefix("unix:") } ?? true
  }

  private init?(path: String) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    bytes = Array(path.utf8)
  }

  /// A variable of the environment, which counts for nothing in a program that gained privileges.
  private static func setting(_ name: String) -> String? {
    guard let value = unsafe secure_getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }
}
