/// What is the same for every refusal with a cause: its title, and what its layer offers.
///
/// ``CauseCode`` lists the codes, the article *Causes* describes them for users, and the functions of the
/// layer write the summary of each case. To add a cause, add its code, its description in the layer that
/// finds it, and its section in the article.
struct CauseDescription<Described: Layer>: Sendable {
  let code: CauseCode
  /// The cause in a few words.
  let title: String
  let object: CauseObject
  /// Returns the fixes, in the order of the layer's own preference.
  let remedies: @Sendable (Described, Cause) -> [Remedy]
  /// Returns the commands that show more and change nothing.
  let lookups: @Sendable (Described, Cause) -> [Lookup]
  /// Returns the reason why there is no fix; `nil` if the layer has none to give.
  let note: @Sendable (Described, Cause) -> String?

  /// Creates the description of a cause; without the optional parts, its layer offers nothing.
  init(
    _ code: CauseCode, _ title: String, object: CauseObject = .requested,
    remedies: @escaping @Sendable (Described, Cause) -> [Remedy] = { _, _ in [] },
    lookups: @escaping @Sendable (Described, Cause) -> [Lookup] = { _, _ in [] },
    note: @escaping @Sendable (Described, Cause) -> String? = { _, _ in nil }
  ) {
    self.code = code
    self.title = title
    self.object = object
    self.remedies = remedies
    self.lookups = lookups
    self.note = note
  }
}

/// The object that a cause is about.
enum CauseObject: Sendable {
  /// The requested object, or something on its path: its permissions count.
  case requested
  /// Another object than the one whose permissions are in the facts.
  ///
  /// Examples are a mount that covers the path, another device, a login service that keeps the
  /// node, and a node whose permissions udev has not set yet.
  case other
  /// Hardware without a node, inside a container or outside.
  case hardware
}
