/// The name of a service unit (systemd.unit(5)).
struct UnitName: Hashable, Sendable {
  /// The whole name, such as `getty@tty1.service`.
  let text: String

  static let suffix = ".service"
  /// `UNIT_NAME_MAX`, in bytes.
  private static let longest = 255

  /// A name with or without its suffix; `nil` for one that no service can have.
  init?(_ word: String) {
    let text = word.hasSuffix(Self.suffix) ? word : word + Self.suffix
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed),
      !text.dropLast(Self.suffix.count).isEmpty, text.first != "@",
      !Self.otherSuffixes.contains(where: word.hasSuffix)
    else { return nil }
    self.text = text
  }

  private static let otherSuffixes = [
    ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice",
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
  var stem: String { String(text.dropLast(Self.suffix.count)) }

  /// What stands before the `@`, or the whole stem.
  var prefix: String { String(stem.prefix { $0 != "@" }) }

  /// What stands behind the `@`; `nil` for a unit that is no instance and no template.
  var instance: String? {
    stem.firstIndex(of: "@").map { String(stem[stem.index(after: $0)...]) }
  }

  /// The template that an instance is made from; `nil` for any other unit.
  var template: String? {
    guard let instance, !instance.isEmpty else { return nil }
    return prefix + "@" + Self.suffix
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
      names.append(stem + Self.suffix)
    }
    return (names + ["service"]).map { $0 + ".d" }
  }
}
