internal import AccessModel
internal import FoundationEssentials

/// Formats a case as one line of JSON.
enum CaseLine {
  static func text(of access: AccessCase) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(access) else { return "the case cannot be encoded" }
    return String(decoding: data, as: UTF8.self)
  }
}
