internal import Foundation

/// A server, as far as trust goes: its scheme, host and port.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an address; `nil` unless it is HTTP with a host and without a user.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty,
      url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}
