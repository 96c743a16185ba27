internal import AccessModel

/// The name of a service or slice unit (systemd.unit(5)).
struct UnitName: Hashable, Sendable {
  /// The whole name, such as `getty@tty1.service`.
  let text: String

  /// The end of the name, such as `.service`.
  let suffix: String

  /// A name with or without its suffix; `nil` for one that no service can have.
  init?(_ word: String, suffix: String = ".service") {
    let text = word.hasSuffix(suffix) ? word : word + suffix
    guard text.isUnitName,
      !String.unitSuffixes.contains(where: { $0 != suffix && word.hasSuffix($0) })
    else { return nil }
    self.text = text
    self.suffix = suffix
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

  /// The template of a unit with an instance of its own in it; `nil` for what is no template.
  func with(instance: String) -> UnitName? {
    guard isTemplate else { return nil }
    return UnitName("\(prefix)@\(instance)\(suffix)", suffix: suffix)
  }

  /// The folders of drop-ins of this name, the most specific first: `foo-bar.service.d`, then
  /// `foo-.service.d`.
  ///
  /// An instance has its template's before those of its own shorter names, `foo-@x.service.d`
  /// (`unit_file_find_dirs` in systemd's src/shared/dropin.c).
  var dropInFolders: [String] {
    var names: [String] = []
    addDropInNames(to: &names)
    return names.map { $0 + ".d" }
  }

  /// The folder of drop-ins of all units of the type, such as `service.d`.
  var typeFolder: String { suffix.dropFirst() + ".d" }

  private func addDropInNames(to names: inout [String]) {
    if !names.contains(text) { names.append(text) }
    if let template = template.flatMap({ UnitName($0, suffix: suffix) }) {
      template.addDropInNames(to: &names)
    }
    // A dash at the end is passed over once, one at the beginning ends it.
    let stem = prefix.last == "-" ? prefix.dropLast() : prefix[...]
    guard let dash = stem.lastIndex(of: "-"), dash > stem.startIndex else { return }
    let ending = instance.map { $0.isEmpty ? "" : "@" + $0 } ?? ""
    UnitName(stem[...dash] + ending + suffix, suffix: suffix)?.addDropInNames(to: &names)
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
