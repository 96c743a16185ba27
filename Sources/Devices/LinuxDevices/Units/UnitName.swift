internal import AccessModel

/// The name of a service or slice unit (systemd.unit(5)).
struct UnitName: Hashable, Sendable {
  /// The full name, such as `getty@tty1.service`.
  let text: String

  /// The suffix, such as `.service`.
  let suffix: String

  /// Parses a name with or without its suffix; returns `nil` if the name is invalid or has another
  /// unit type's suffix.
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

  /// The section that contains the settings of this unit type, such as `Service`.
  var section: String {
    suffix.dropFirst().prefix(1).uppercased() + suffix.dropFirst(2)
  }

  /// The part before the `@`, or the whole stem.
  var prefix: String { String(stem.prefix { $0 != "@" }) }

  /// The part after the `@`; `nil` if the unit is neither an instance nor a template.
  var instance: String? {
    stem.firstIndex(of: "@").map { String(stem[stem.index(after: $0)...]) }
  }

  /// The template of an instance; `nil` for any other unit.
  var template: String? {
    guard let instance, !instance.isEmpty else { return nil }
    return prefix + "@" + suffix
  }

  /// A Boolean value that indicates whether the unit is a template, which cannot be started itself.
  var isTemplate: Bool { instance?.isEmpty == true }

  /// Returns the instance of this template with the given name, or `nil` if the unit is not a
  /// template.
  func with(instance: String) -> UnitName? {
    guard isTemplate else { return nil }
    return UnitName("\(prefix)@\(instance)\(suffix)", suffix: suffix)
  }

  /// The drop-in folders for this name, the most specific first: `foo-bar.service.d`, then
  /// `foo-.service.d`.
  ///
  /// For an instance, the template's folders precede the folders for its own shorter names, such as
  /// `foo-@x.service.d` (`unit_file_find_dirs` in systemd's src/shared/dropin.c).
  var dropInFolders: [String] {
    var names: [String] = []
    addDropInNames(to: &names)
    return names.map { $0 + ".d" }
  }

  /// The drop-in folder for all units of the type, such as `service.d`.
  var typeFolder: String { suffix.dropFirst() + ".d" }

  private func addDropInNames(to names: inout [String]) {
    if !names.contains(text) { names.append(text) }
    if let template = template.flatMap({ UnitName($0, suffix: suffix) }) {
      template.addDropInNames(to: &names)
    }
    // One dash at the end is ignored. A dash at the beginning ends the search.
    let stem = prefix.last == "-" ? prefix.dropLast() : prefix[...]
    guard let dash = stem.lastIndex(of: "-"), dash > stem.startIndex else { return }
    let ending = instance.map { $0.isEmpty ? "" : "@" + $0 } ?? ""
    UnitName(stem[...dash] + ending + suffix, suffix: suffix)?.addDropInNames(to: &names)
  }

  /// The slice that contains the service if no setting names one (`unit_set_default_slice`).
  var defaultSlice: String {
    guard instance != nil else { return "system.slice" }
    let escaped = prefix.utf8.map { byte -> String in
      byte == UInt8(ascii: "-") ? "\\x2d" : String(decoding: [byte], as: UTF8.self)
    }
    return "system-\(escaped.joined()).slice"
  }

  /// Returns a slice and its parent slices up to the root slice, according to its name.
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
