internal import AccessModel

/// The facts about a process that the name of its control group reveals.
struct HolderGroup: Hashable, Sendable {
  /// The systemd unit; in a login session, the user's unit instead of the user manager.
  var unit: String?
  /// The ID of the user whose manager runs the unit.
  var unitUser: UInt32?
  /// The engine of the container that contains the process.
  var container: String?
  /// The ID or name of the container.
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

  /// Removes the `_` that systemd puts before a name that could be a kernel file (`cg_escape`).
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

  /// Returns the application of a snap, or of a unit that a desktop created.
  ///
  /// The names follow systemd's conventions, such as `app-LAUNCHER-ID-RANDOM.scope`.
  private static func application(in unit: String) -> String? {
    if unit.hasPrefix("snap.") {
      let parts = unit.split(separator: ".")
      return parts.count > 2 ? String(parts[1]) : nil
    }
    guard unit.hasPrefix("app-") else { return nil }
    var stem = unit.dropFirst(4)
    if stem.hasSuffix(".scope") {
      // The last part is a number or a random word.
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
