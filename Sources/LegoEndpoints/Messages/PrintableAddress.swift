internal import Foundation
internal import JSONText

extension URL {
  /// The address without what may be secret, for people: no user, no query, no fragment.
  var printable: String {
    let text = absoluteString.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = text.range(of: "://") else { return JSONQuotes.escaped(text, limit: 500) }
    let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
    let authority = text[scheme.upperBound..<end]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return JSONQuotes.escaped(
      text[..<scheme.upperBound] + (host ?? authority) + text[end...], limit: 500)
  }
}
