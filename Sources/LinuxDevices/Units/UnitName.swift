/// The name of a service or slice unit (systemd.unit(5)).
struct UnitName: Hashable, Sendable {
  /// The whole name, such as `getty@tty1.service`.
  let text: String

  /// The end of the name, such as `.service`.
  let suffix: String

  /// `UNIT_NAME_MAX`, in bytes.
  private static let longest = 255

  /// A name with or without its suffix; `nil` for one that no service can have.
  init?(_ word: String, suffix: String = ".service") {
    let text = word.hasSuffix(suffix) ? word : word + suffix
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed),
      !text.dropLast(suffix.count).isEmpty, text.first != "@",
      !Self.suffixes.contains(where: { $0 != suffix && word.hasSuffix($0) })
    else { return nil }
    self.text = text
    self.suffix = suffix
  }

  private static let suffixes = [
    ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",
    ".slice",
    ".scope",
  ]

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ":-_.\\@".utf8.contains(byte)
    }
  }

  /// The name without its suffix.
  var stem: String { String(text.dropLast(suffix.count)) }

  /// The section of its files that holds its settings, such as `Service`.
  var section: String {
    suffix.dropFirst().prefix(1).uppercased() + suffix.dropFirst(2)
  }

  /// What stands before the `@`, or the whole stem.
  var prefix: String { String(stem.prefix { $0 != "@" }) }

  /// What stands behind the `@`; `nil` for a unit that is no instance and no template.
  var instance: String? {
    stem.firstIndex(of: "@").map { String(stem[stem.index(after: $0)...]) }
  }

  /// The template that an instance is made from; `nil` for any other unit.
  var template: String? {
    guard let instance, !instance.isEmpty else { return nil }
    return prefix + "@" + suffix
  }

  /// A template by itself cannot be started.
  var isTemplate: Bool { instance?.isEmpty == true }

  /// The folders of drop-ins, the most specific first: `foo-bar.service.d`, its template's,
  /// `foo-.service.d`, `service.d`.
  var dropInFolders: [String] {
    var names = [text] + (template.map { [$0] } ?? [])
    var stem = prefix[...]
    while let dash = stem.dropLast().lastIndex(of: "-") {
      stem = stem[...dash]
      names.append(stem + suffix)
    }
    return (names + [String(suffix.dropFirst())]).map { $0 + ".d" }
  }

  /// The slice that a service is put into when nothing says otherwise (`unit_set_default_slice`).
  var defaultSlice: String {
    guard instance != nil else { return "system.slice" }
    let escaped = prefix.utf8.map { byte -> String in
      byte == UInt8(ascii: "-") ? "\\x2d" : String(decoding: [byte], as: UTF8.self)
    }
    return "system-\(escaped.joined()).slice"
  }

  /// The slices that a slice lies in, itself first and the root last; its name tells them.
  static func slices(from name: String) -> [UnitName] {
    guard let slice = UnitName(name, suffix: ".slice") else { return [] }
    var names = [slice]
    var stem = slice.stem[...]
    while stem != "-", names.count < 16 {
      stem = stem.lastIndex(of: "-").map { stem[..<$0] } ?? "-"
      if stem.isEmpty { stem = "-" }
      if let parent = UnitName(String(stem), suffix: ".slice") { names.append(parent) }
    }
    return names
  }
}
