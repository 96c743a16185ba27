internal import AccessModel

/// What the name of a control group says about a process in it.
struct HolderGroup: Hashable, Sendable {
  /// The unit: of a login session the unit in it, not the manager of its user.
  var unit: String?
  /// The user whose manager has that unit.
  var unitUser: UInt32?
  /// The engine of the container around it.
  var container: String?
  /// The container's ID or name.
  var containerName: String?
  /// The ID of the desktop application, flatpak or snap.
  var application: String?

  init(path: String) {
    let parts = path.parts(at: "/")
    let manager = parts.firstIndex { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
    let inner = manager.flatMap { parts[($0 + 1)...].first(where: Self.isUnit) }
    if let manager, inner != nil {
      unitUser = UInt32(parts[manager].dropFirst("user@".count).dropLast(".service".count))
    }
    unit = (inner ?? parts.first(where: Self.isUnit)).map(Self.unescaped)
    container = ContainerObserver.engine(inControlGroup: path)
    if container != nil {
      containerName = parts.reversed().lazy.compactMap(Self.containerName).first
    }
    application =
      parts.reversed().lazy.compactMap { Self.application(in: Self.unescaped($0)) }.first
  }

  private static func isUnit(_ part: Substring) -> Bool {
    part.hasSuffix(".service") || part.hasSuffix(".scope")
  }

  /// systemd puts `_` before a name that could be one of the kernel's files (`cg_escape`).
  private static func unescaped(_ part: Substring) -> String {
    String(part.hasPrefix("_") ? part.dropFirst() : part)
  }

  private static func containerName(_ part: Substring) -> String? {
    for prefix in ["docker-", "libpod-", "crio-", "cri-containerd-"] where part.hasPrefix(prefix) {
      let name = part.dropFirst(prefix.count)
      return String(name.hasSuffix(".scope") ? name.dropLast(6) : name)
    }
    if part.hasPrefix("lxc.payload.") { return String(part.dropFirst(12)) }
    if part.hasPrefix("machine-"), part.hasSuffix(".scope") {
      return String(part.dropFirst(8).dropLast(6))
    }
    let isID = part.utf8.count == 64 && part.allSatisfy(\.isHexDigit)
    return isID ? String(part) : nil
  }

  /// The application of a unit that a desktop made, as systemd's conventions name it
  /// (`app-LAUNCHER-ID-RANDOM.scope`), or of a snap.
  private static func application(in unit: String) -> String? {
    if unit.hasPrefix("snap.") {
      let parts = unit.split(separator: ".")
      return parts.count > 2 ? String(parts[1]) : nil
    }
    guard unit.hasPrefix("app-") else { return nil }
    var stem = unit.dropFirst(4)
    if stem.hasSuffix(".scope") {
      // A number or a random word is the last part.
      guard let dash = stem.lastIndex(of: "-") else { return nil }
      stem = stem[..<dash]
    } else if stem.hasSuffix(".service") {
      stem = stem.dropLast(8)
      stem = stem.firstIndex(of: "@").map { stem[..<$0] } ?? stem
    } else {
      return nil
    }
    let name = stem.split(separator: "-").last.map(String.init)?.replacing("\\x2d", with: "-")
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }
}
