internal import CSystemd
internal import Glibc

/// The name of the socket that a bus listens on.
struct BusSocketName: Equatable {
  /// The bytes of `sun_path`; the first byte of an abstract name is zero.
  let bytes: [UInt8]

  /// Creates the name of the first socket in an address.
  ///
  /// The format is that of the D-Bus specification, chapter "Server Addresses":
  /// `unix:path=/run/user/1000/bus` or `unix:abstract=name`, with `;` between several addresses,
  /// and with `%` and two hexadecimal digits for a byte. The result is `nil` if the address has no
  /// socket, or if the name is too long for the kernel.
  init?(address: String) {
    let names = address.utf8.split(separator: UInt8(ascii: ";")).lazy.compactMap(Self.name)
    guard let name = names.first else { return nil }
    // This leaves room for a terminating zero, although the kernel requires none for an abstract
    // name.
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

  /// Returns the socket of a bus, as sd-bus(3) finds it.
  static func standard(_ address: BusAddress) -> BusSocketName? {
    if let text = text(of: address) { return BusSocketName(address: text) }
    return switch address {
    case .at: nil
    case .system: BusSocketName(path: "/run/dbus/system_bus_socket")
    case .user: setting("XDG_RUNTIME_DIR").flatMap { BusSocketName(path: "\($0)/bus") }
    }
  }

  /// Returns the address that is set for a bus; `nil` if none is set.
  private static func text(of address: BusAddress) -> String? {
    switch address {
    case .at(let address): address
    case .system: setting("DBUS_SYSTEM_BUS_ADDRESS")
    case .user: setting("DBUS_SESSION_BUS_ADDRESS")
    }
  }

  /// Returns `true` if an address contains only Unix sockets.
  ///
  /// sd-bus(3) supports other transports as well. For example, `unixexec:` runs a program.
  static func isOfSockets(_ address: BusAddress) -> Bool {
    text(of: address)?.split(separator: ";").allSatisfy { $0.hasPrefix("unix:") } ?? true
  }

  private init?(path: String) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    bytes = Array(path.utf8)
  }

  /// Returns an environment variable, or `nil` in a program that gained privileges when it was
  /// started.
  private static func setting(_ name: String) -> String? {
    guard let value = unsafe secure_getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }
}
